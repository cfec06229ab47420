package org.anabranch.gc.sweep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.anabranch.gc.CatalogUnreadableException;
import org.anabranch.gc.sweep.SweepSummary.Amount;
import org.anabranch.gc.sweep.SweepSummary.Fate;
import org.anabranch.model.CommitId;
import org.anabranch.model.ContentKey;
import org.anabranch.testing.RealTable;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.Snapshot;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** When files go, and what happens around it. */
class SweeperTest extends LocalLakeFixture {

    private static final Duration YEARS = Duration.ofDays(3650);

    @Test
    void whatNothingNeedsGoesWithTheSecondRunAndOnce() throws IOException {
        RealTable table = table("t");
        table.append(1, 2);
        branch("main", table);
        List<Path> live = files(warehouse);
        Path orphan = orphan("t/data/orphan.avro");

        assertThat(lake.run().counts()).isEqualTo(Map.of(Fate.IN_GRACE, new Amount(1, 6)));
        assertThat(orphan).exists();
        assertThat(lake.run().counts()).isEqualTo(Map.of(Fate.DELETED, new Amount(1, 6)));

        assertThat(files(warehouse)).containsExactlyInAnyOrderElementsOf(live);
        assertThat(table.ids()).containsExactly(1, 2);
        assertThat(lake.run().counts()).isEmpty();
    }

    @Test
    void aFileStaysWhileItsTwoRunsAreLessThanTheGracePeriodApart() throws IOException {
        branch("main", table("t"));
        Path orphan = orphan("t/x");
        lake.grace = Duration.ofHours(25);
        lake.run();

        assertThat(lake.run().counts()).containsOnlyKeys(Fate.IN_GRACE);
        assertThat(orphan).exists();
        assertThat(lake.run().counts()).containsOnlyKeys(Fate.DELETED);
        assertThat(orphan).doesNotExist();
    }

    @Test
    void withoutAGracePeriodTwoRunsAreNeededAllTheSame() throws IOException {
        branch("main", table("t"));
        orphan("t/x");
        lake.grace = Duration.ZERO;

        assertThat(lake.run().counts()).containsOnlyKeys(Fate.IN_GRACE);
        assertThat(lake.run().counts()).containsOnlyKeys(Fate.DELETED);
    }

    @Test
    void aFileYoungerThanTheSafetyAgeAndTheClockMarginStays() throws IOException {
        branch("main", table("t"));
        Path orphan = orphan("t/x");
        Instant modified = lake.now.plus(Duration.ofHours(2));
        Files.setLastModifiedTime(orphan, FileTime.from(modified));
        lake.run();
        // The second run begins 46 hours after the file was modified.
        lake.safetyAge = Duration.ofHours(46).minusMinutes(5);
        lake.clockMargin = Duration.ofMinutes(5);

        assertThat(lake.run().counts()).containsOnlyKeys(Fate.TOO_YOUNG);
        assertThat(orphan).exists();
        assertThat(lake.run().counts()).containsOnlyKeys(Fate.DELETED);
    }

    @Test
    void aFileThatWasSeenByAClockFarAheadIsNotKeptUntilThen() throws IOException {
        branch("main", table("t"));
        Path orphan = orphan("t/x");
        lake.now = lake.now.plus(YEARS);
        lake.run();
        lake.now = lake.now.minus(YEARS);

        assertThat(lake.run().counts()).containsOnlyKeys(Fate.IN_GRACE);
        assertThat(orphan).exists();
        assertThat(lake.run().counts()).containsOnlyKeys(Fate.DELETED);
    }

    @Test
    void aRunThatBeganByAClockFarAheadIsNotGoneOnWith() throws IOException {
        branch("main", table("t"));
        Path orphan = orphan("t/x");
        lake.run();
        lake.now = lake.now.plus(YEARS);
        lake.beforeFinding = path -> {
            throw new IllegalStateException("the process ends here");
        };
        assertThatThrownBy(lake::run).hasMessage("the process ends here");
        lake.beforeFinding = path -> {};
        // An hour after the first run.
        lake.now = lake.now.minus(YEARS).minus(Duration.ofHours(23));

        assertThat(lake.resumeInANewProcess().counts()).containsOnlyKeys(Fate.IN_GRACE);
        assertThat(orphan).exists();
    }

    @Test
    void aFileThatWasRewrittenBeginsItsGracePeriodAnew() throws IOException {
        branch("main", table("t"));
        Path orphan = orphan("t/x");
        lake.run();
        Files.writeString(orphan, "another");

        assertThat(lake.run().counts()).containsOnlyKeys(Fate.IN_GRACE);
        assertThat(orphan).exists();
    }

    @Test
    void aFileThatIsWrittenAgainAfterItWasListedStaysAndBeginsItsGracePeriodAnew() throws IOException {
        branch("main", table("t"));
        Path orphan = orphan("t/x");
        Path other = orphan("t/y");
        lake.run();
        lake.beforeLookingAgain = () -> {
            throw new IllegalStateException("the process ends here");
        };
        assertThatThrownBy(lake::run).hasMessage("the process ends here");
        lake.beforeLookingAgain = () -> {};
        Files.writeString(orphan, "another of this name");
        lake.listed.clear();

        assertThat(lake.resumeInANewProcess().counts())
                .isEqualTo(Map.of(Fate.KEPT, new Amount(1, 6), Fate.DELETED, new Amount(1, 6)));
        assertThat(lake.listed).isEmpty();
        assertThat(orphan).exists();
        assertThat(other).doesNotExist();
        assertThat(lake.reported("changed"))
                .extracting(line -> line.get("path").asText())
                .containsExactly(orphan.toString());
        assertThat(lake.run().counts()).containsOnlyKeys(Fate.IN_GRACE);
        assertThat(lake.run().counts()).containsOnlyKeys(Fate.DELETED);
    }

    @Test
    void aFileThatCannotBeLookedAtAgainStays() throws IOException {
        branch("main", table("t"));
        Path orphan = orphan("t/x");
        lake.run();
        lake.beforeFinding = path -> {
            throw new UncheckedIOException(new IOException("not today"));
        };

        assertThat(lake.run().counts()).containsOnlyKeys(Fate.FAILED);
        assertThat(orphan).exists();
        assertThat(lake.reported("deleting")).isEmpty();
        lake.beforeFinding = path -> {};
        assertThat(lake.run().counts()).containsOnlyKeys(Fate.DELETED);
    }

    @Test
    void ofAFileThatWasWrittenSinceTheRunBeganItsMarkSaysNothing() throws IOException {
        branch("main", table("t"));
        Path orphan = orphan("t/x");
        // The first run begins a day after now.
        Files.setLastModifiedTime(orphan, FileTime.from(lake.now.plus(Duration.ofHours(24))));
        lake.grace = Duration.ofHours(40);

        assertThat(lake.run().counts()).containsOnlyKeys(Fate.TOO_YOUNG);
        lake.run();
        assertThat(lake.run().counts()).containsOnlyKeys(Fate.IN_GRACE);
        assertThat(lake.run().counts()).containsOnlyKeys(Fate.DELETED);
    }

    @Test
    void aFileThatWasNeededInBetweenBeginsItsGracePeriodAnew() {
        RealTable table = table("t");
        DataFile data = table.writeData(7);
        branch("main", table);
        lake.run();
        table.table().newAppend().appendFile(data).commit();
        branch("other", table);
        lake.run();
        catalog.delete("other");

        lake.run();
        assertThat(Path.of(data.location())).exists();
        lake.run();
        assertThat(Path.of(data.location())).doesNotExist();
    }

    @Test
    void filesOfADroppedTableGoThoughNothingButTheCollectorKnowsItsFolder() {
        RealTable table = table("dropped");
        table.append(1);
        branch("main", table("t"));
        branch("other", table);
        lake.run();
        catalog.delete("other");

        lake.run();
        lake.run();
        assertThat(files(warehouse.resolve("dropped"))).isEmpty();
    }

    @Test
    void filesOfATableThatWasDroppedBeforeTheFirstRunGo() {
        RealTable dropped = table("dropped");
        dropped.append(1);
        CommitId created = branch("main", dropped);
        CommitId gone = catalog.commit(created, List.of(table("t").entry("t")), ContentKey.of("main"));
        catalog.branch("main", gone);
        lake.cutoff = "1";

        lake.run();
        lake.run();
        assertThat(files(warehouse.resolve("dropped"))).isEmpty();
        assertThat(files(warehouse.resolve("t"))).isNotEmpty();
    }

    @Test
    void aDroppedTableIsFoundThoughTheStorageWasNotThereAtFirst() throws IOException {
        RealTable dropped = table("dropped");
        dropped.append(1);
        CommitId created = branch("main", dropped);
        CommitId gone = catalog.commit(created, List.of(table("t").entry("t")), ContentKey.of("main"));
        catalog.branch("main", gone);
        lake.cutoff = "1";
        Path away = Files.move(warehouse, folder.resolve("not mounted"));
        lake.run();
        Files.move(away, warehouse);

        lake.run();
        lake.run();
        assertThat(files(warehouse.resolve("dropped"))).isEmpty();
    }

    @Test
    void whatBecameNeededAfterTheMarkIsKept() throws IOException {
        RealTable table = table("t");
        table.append(1);
        branch("main", table("u"));
        CommitId old = branch("was", table);
        lake.run();
        catalog.delete("was");
        Path orphan = orphan("t/orphan");
        lake.run();

        lake.beforeLookingAgain = () -> catalog.branch("again", old);
        assertThat(lake.run().counts()).containsOnlyKeys(Fate.KEPT, Fate.DELETED);

        assertThat(table.ids()).containsExactly(1);
        assertThat(orphan).doesNotExist();
        assertThat(lake.reported("needed-again")).isNotEmpty();
    }

    @Test
    @Timeout(60)
    void aCatalogThatNeverRestsIsSweptAllTheSame() throws IOException {
        RealTable table = table("t");
        CommitId[] head = {branch("main", table)};
        Path orphan = orphan("t/orphan");
        lake.run();
        int[] commits = {0};
        lake.beforeLookingAgain = () -> {
            table.append(++commits[0]);
            head[0] = catalog.commit(head[0], List.of(table.entry("main")));
            catalog.branch("main", head[0]);
        };

        assertThat(lake.run().counts()).containsOnlyKeys(Fate.DELETED);
        assertThat(orphan).doesNotExist();
        assertThat(commits[0]).isGreaterThan(1);
        assertThat(table.ids()).hasSize(commits[0]);
    }

    @Test
    void aTableThatBecameLiveAndUnreadableAfterTheMarkKeepsItsFolder() throws IOException {
        RealTable table = table("t");
        table.append(1);
        branch("main", table("u"));
        CommitId old = branch("was", table);
        lake.run();
        catalog.delete("was");
        lake.run();
        Files.writeString(Path.of(table.metadata()), "damaged");
        lake.beforeLookingAgain = () -> catalog.branch("again", old);
        int before = files(warehouse).size();

        lake.run();
        assertThat(files(warehouse)).hasSize(before);
    }

    @Test
    void aReferenceThatCannotBeReadStopsTheSweep() throws IOException {
        branch("main", table("t"));
        Path orphan = orphan("t/x");
        lake.run();
        lake.beforeLookingAgain = () -> catalog.setBroken(true);

        assertThatThrownBy(lake::run).isInstanceOf(CatalogUnreadableException.class);
        assertThat(orphan).exists();
    }

    @Test
    void checksumsThatLieBesideAFileLiveAndGoWithIt() throws IOException {
        RealTable table = table("t");
        DataFile live = table.append(1);
        branch("main", table);
        Path needed = Path.of(live.location());
        String folder = warehouse.relativize(needed.getParent()).toString();
        Path ofTheNeeded = orphan(folder + "/." + needed.getFileName() + ".crc");
        Path ofAnotherName = orphan(folder + "/" + needed.getFileName() + ".crc");
        Path inAnotherFolder = orphan("t/other/." + needed.getFileName() + ".crc");
        Path orphan = orphan(folder + "/orphan.avro");
        Path ofTheOrphan = orphan(folder + "/.orphan.avro.crc");

        lake.run();
        assertThat(lake.run().amount(Fate.DELETED).files()).isEqualTo(4);
        assertThat(List.of(needed, ofTheNeeded))
                .allSatisfy(file -> assertThat(file).exists());
        assertThat(List.of(ofAnotherName, inAnotherFolder, orphan, ofTheOrphan))
                .allSatisfy(file -> assertThat(file).doesNotExist());
    }

    @Test
    void aDryRunDeletesNothingAndCountsAsARun() throws IOException {
        branch("main", table("t"));
        Path orphan = orphan("t/x");

        assertThat(lake.run(Sweeper.Mode.DRY_RUN).counts()).containsOnlyKeys(Fate.IN_GRACE);
        assertThat(lake.run(Sweeper.Mode.DRY_RUN).counts()).isEqualTo(Map.of(Fate.WOULD_BE_DELETED, new Amount(1, 6)));
        assertThat(orphan).exists();
        assertThat(lake.reported("would-delete"))
                .extracting(line -> line.get("path").asText())
                .containsExactly(orphan.toString());
    }

    @Test
    void everyDeletionIsReportedBeforeAndAfter() throws IOException {
        branch("main", table("t"));
        Path orphan = orphan("t/x");
        lake.run();
        List<List<JsonNode>> reportedBefore = new ArrayList<>();
        lake.beforeDeleting = files -> reportedBefore.add(lake.reported("deleting"));
        lake.run();

        assertThat(reportedBefore).hasSize(1);
        JsonNode before = reportedBefore.get(0).get(0);
        assertThat(before.get("path").asText()).isEqualTo(orphan.toString());
        assertThat(before.get("bytes").asLong()).isEqualTo(6);
        assertThat(before.get("run").asLong()).isEqualTo(2);
        assertThat(before.get("unreferencedSinceRun").asLong()).isEqualTo(1);
        assertThat(lake.reported("deleted"))
                .extracting(line -> line.get("path").asText())
                .containsExactly(orphan.toString());
    }

    @Test
    void aFileThatTheStorageDoesNotDeleteIsReportedAndTriedAgain() throws IOException {
        branch("main", table("t"));
        Path orphan = orphan("t/x");
        lake.run();
        // A folder cannot be deleted while something is in it.
        lake.beforeDeleting = files -> replaceByFolder(orphan);

        assertThat(lake.run().counts()).containsOnlyKeys(Fate.FAILED);
        assertThat(lake.reported("failed"))
                .extracting(line -> line.get("path").asText())
                .containsExactly(orphan.toString());
    }

    private static void replaceByFolder(Path file) {
        try {
            Files.delete(file);
            Files.createDirectory(file);
            Files.writeString(file.resolve("y"), "in it");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void aSweepThatEndedAtAnyBatchGoesOn(int batch) throws IOException {
        RealTable table = table("t");
        table.append(1);
        branch("main", table);
        List<Path> live = files(warehouse);
        for (int i = 0; i < 25; i++) {
            orphan("t/x" + i);
        }
        lake.run();
        int[] batches = {0};
        lake.beforeDeleting = files -> {
            if (++batches[0] == batch) {
                throw new IllegalStateException("the process ends here");
            }
        };
        assertThatThrownBy(lake::run).hasMessage("the process ends here");
        assertThat(files(warehouse)).hasSize(live.size() + 25 - 10 * (batch - 1));
        lake.beforeDeleting = files -> {};
        lake.listed.clear();

        assertThat(lake.resumeInANewProcess().amount(Fate.DELETED).files()).isEqualTo(25 - 10 * (batch - 1));
        assertThat(lake.listed).isEmpty();
        assertThat(files(warehouse)).containsExactlyInAnyOrderElementsOf(live);
    }

    @Test
    void aFolderThatCannotBeListedIsReportedAndTheOthersAreSwept() throws IOException {
        branch("main", table("t"));
        branch("other", table("u"));
        Path kept = orphan("u/x");
        Path gone = orphan("t/x");
        lake.run();
        lake.beforeListing = path -> {
            if (path.endsWith("/u")) {
                throw new UncheckedIOException(new IOException("no list today"));
            }
        };

        SweepSummary summary = lake.run();
        assertThat(summary.leftAlone()).extracting(LeftAlone::cause).containsExactly(LeftAlone.Cause.UNLISTED);
        assertThat(kept).exists();
        assertThat(gone).doesNotExist();
    }

    @Test
    void manifestsThatWereReadBeforeARestartAreNotReadAgain() {
        RealTable table = table("t");
        table.append(1);
        Snapshot first = table.table().currentSnapshot();
        table.append(2);
        Snapshot second = table.table().currentSnapshot();
        branch("main", table);
        String manifest = first.allManifests(lake.io()).get(0).path();
        lake.io().reset();
        lake.io().beforeReading(path -> {
            if (path.equals(second.manifestListLocation())) {
                throw new OutOfMemoryError("the process ends here");
            }
        });
        assertThatThrownBy(lake::run).hasMessage("the process ends here");
        lake.io().beforeReading(path -> {});

        lake.resumeInANewProcess();
        assertThat(lake.io().opened(second.manifestListLocation())).isEqualTo(1);
        assertThat(lake.io().opened(first.manifestListLocation())).isEqualTo(1);
        assertThat(lake.io().opened(manifest)).isEqualTo(1);
    }
}
