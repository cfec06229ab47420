package org.anabranch.gc.sweep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

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
import java.util.stream.Stream;
import org.anabranch.gc.CatalogContent;
import org.anabranch.gc.CatalogEntry;
import org.anabranch.gc.CatalogUnreadableException;
import org.anabranch.gc.TableFiles.Unreadable;
import org.anabranch.gc.storage.LocalFileIO;
import org.anabranch.gc.sweep.SweepSummary.Amount;
import org.anabranch.gc.sweep.SweepSummary.Fate;
import org.anabranch.model.CommitId;
import org.anabranch.model.ContentKey;
import org.anabranch.testing.CatalogInMemory;
import org.anabranch.testing.RealTable;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.Snapshot;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which files go from a local lake, and which stay. */
class SweeperTest {

    @TempDir
    private Path folder;

    private Path warehouse;
    private CatalogInMemory catalog;
    private CollectedLake lake;

    @BeforeEach
    void open() throws IOException {
        // The temporary folder itself may lie behind a link.
        folder = folder.toRealPath();
        warehouse = Files.createDirectory(folder.resolve("wh"));
        catalog = new CatalogInMemory();
        lake = new CollectedLake(folder.resolve("state"), catalog, new LocalFileIO(), warehouse.toString());
    }

    @AfterEach
    void close() {
        lake.close();
    }

    private RealTable table(String path) {
        return RealTable.create(lake.io(), warehouse + "/" + path, 2, Map.of());
    }

    /** Puts a table on a new line that a branch of this name is at the end of. */
    private CommitId branch(String name, RealTable table) {
        CommitId commit = catalog.commit(CommitId.NO_ANCESTOR, List.of(table.entry(name)));
        catalog.branch(name, commit);
        return commit;
    }

    private Path orphan(String path) throws IOException {
        Path file = warehouse.resolve(path);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, "orphan");
    }

    private static List<Path> files(Path below) {
        try (Stream<Path> files = Files.walk(below)) {
            return files.filter(Files::isRegularFile).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

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
    void aFileThatWasRewrittenBeginsItsGracePeriodAnew() throws IOException {
        branch("main", table("t"));
        Path orphan = orphan("t/x");
        lake.run();
        Files.writeString(orphan, "another");

        assertThat(lake.run().counts()).containsOnlyKeys(Fate.IN_GRACE);
        assertThat(orphan).exists();
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
    void contentsThatShareAFolderKeepEachOthersFiles() throws IOException {
        RealTable first = table("shared");
        first.append(1);
        RealTable second = table("shared");
        second.append(2);
        RealTable nested = table("shared/nested");
        nested.append(3);
        branch("first", first);
        branch("second", second);
        branch("nested", nested);
        Path orphan = orphan("shared/nested/x");

        lake.run();
        lake.run();
        assertThat(orphan).doesNotExist();
        assertThat(first.ids()).containsExactly(1);
        assertThat(second.ids()).containsExactly(2);
        assertThat(nested.ids()).containsExactly(3);
    }

    @Test
    void filesThatATableReferencesInAnothersFolderStay() {
        RealTable owner = table("owner");
        DataFile data = owner.writeData(1);
        branch("owner", owner);
        RealTable guest = table("guest");
        guest.table().newAppend().appendFile(data).commit();
        branch("guest", guest);

        lake.run();
        lake.run();
        assertThat(guest.ids()).containsExactly(1);
    }

    @Test
    void aDamagedFileLeavesItsFolderAloneAndTheOthersNot() throws IOException {
        RealTable damaged = table("damaged");
        damaged.append(1);
        Snapshot snapshot = damaged.table().currentSnapshot();
        String manifest = snapshot.allManifests(lake.io()).get(0).path();
        Files.writeString(Path.of(manifest), "damaged");
        branch("damaged", damaged);
        branch("main", table("t"));
        Path kept = orphan("damaged/x");
        Path gone = orphan("t/x");

        lake.run();
        SweepSummary summary = lake.run();
        assertThat(kept).exists();
        assertThat(gone).doesNotExist();
        assertThat(summary.leftAlone())
                .extracting(LeftAlone::path, LeftAlone::cause)
                .containsExactly(tuple("file://" + warehouse + "/damaged", LeftAlone.Cause.UNTOUCHABLE));
        assertThat(lake.reported("unreadable"))
                .extracting(
                        line -> line.get("path").asText(),
                        line -> line.get("cause").asText())
                .contains(tuple(manifest, Unreadable.Cause.UNUSABLE.name()));
    }

    @Test
    void missingMetadataLeavesEveryFolderAloneThatItsContentEverClaimed() throws IOException {
        RealTable table =
                RealTable.create(lake.io(), warehouse + "/t", 2, Map.of("write.data.path", warehouse + "/t-data"));
        CommitId first = branch("main", table);
        Path kept = orphan("t-data/x");
        lake.run();
        table.append(1);
        catalog.branch("main", catalog.commit(first, List.of(table.entry("main"))));
        Files.delete(Path.of(table.metadata()));

        lake.run();
        lake.run();
        assertThat(kept).exists();
    }

    @Test
    void missingMetadataLeavesTheFoldersAloneOfContentsWhoseMetadataLayBesideIt() throws IOException {
        RealTable table =
                RealTable.create(lake.io(), warehouse + "/t", 2, Map.of("write.metadata.path", warehouse + "/meta/t"));
        branch("main", table);
        Path kept = orphan("t/x");
        lake.run();
        // Registered again as another content.
        table.append(1);
        branch("again", table);
        catalog.delete("main");
        Files.delete(Path.of(table.metadata()));

        lake.run();
        lake.run();
        assertThat(kept).exists();
    }

    @Test
    void locationsOfContentsOfOtherKindsAreLeftAlone() throws IOException {
        branch("main", table("db"));
        catalog.branch(
                "delta",
                catalog.commit(
                        CommitId.NO_ANCESTOR,
                        List.of(new CatalogEntry(
                                ContentKey.of("d"),
                                "id of d",
                                new CatalogContent.Foreign("DELTA_LAKE_TABLE", List.of(warehouse + "/db/delta"))))));
        Path file = orphan("db/delta/x");

        lake.run();
        lake.run();
        assertThat(file).exists();
    }

    @Test
    void nothingOutsideTheWarehouseIsListedOrDeleted() throws IOException {
        RealTable inside = table("t");
        RealTable outside = RealTable.create(lake.io(), folder + "/elsewhere/t", 2, Map.of());
        RealTable around = RealTable.create(lake.io(), folder.toString(), 2, Map.of());
        branch("inside", inside);
        branch("outside", outside);
        branch("around", around);
        Path file = Files.writeString(folder.resolve("elsewhere/t/x"), "orphan");

        lake.run();
        SweepSummary summary = lake.run();
        assertThat(file).exists();
        assertThat(lake.listed).containsOnly(warehouse + "/t");
        assertThat(summary.leftAlone())
                .extracting(LeftAlone::cause)
                .containsExactlyInAnyOrder(LeftAlone.Cause.OUTSIDE, LeftAlone.Cause.TOO_HIGH);
    }

    @Test
    void ofTheWholeWarehouseAlsoFilesGoThatNoContentEverKnew() throws IOException {
        RealTable table = table("t");
        table.append(1);
        branch("main", table);
        Path file = orphan("unknown/x");
        lake.run();
        lake.run();
        assertThat(file).exists();

        lake.reach = Reach.WHOLE_WAREHOUSE;
        lake.run();
        lake.run();
        assertThat(file).doesNotExist();
        assertThat(table.ids()).containsExactly(1);
    }

    @Test
    void theWholeWarehouseIsLeftAloneWhenALiveTableMayLieAnywhereInIt() throws IOException {
        RealTable lost = table("lost");
        branch("lost", lost);
        Files.delete(Path.of(lost.metadata()));
        Path file = orphan("unknown/x");
        lake.reach = Reach.WHOLE_WAREHOUSE;

        lake.run();
        assertThat(lake.run().leftAlone()).extracting(LeftAlone::path).contains("file://" + warehouse);
        assertThat(file).exists();
    }

    @Test
    void theCollectorsOwnFilesInAWarehouseStay() throws IOException {
        lake.close();
        Path own = warehouse.resolve("own/state");
        Files.createDirectories(own);
        lake = new CollectedLake(own, catalog, new LocalFileIO(), warehouse.toString());
        branch("main", table("t"));
        Path file = orphan("unknown/x");
        lake.reach = Reach.WHOLE_WAREHOUSE;

        lake.run();
        int before = files(own).size();
        lake.run();
        assertThat(file).doesNotExist();
        assertThat(files(own)).hasSize(before);
    }

    @Test
    void symbolicLinksAreNeitherFollowedNorDeleted() throws IOException {
        branch("main", table("t"));
        Path outside = Files.createDirectory(folder.resolve("outside"));
        Path file = Files.writeString(outside.resolve("x"), "not ours");
        Path linkedFolder = Files.createSymbolicLink(warehouse.resolve("t/folder"), outside);
        Path linkedFile = Files.createSymbolicLink(warehouse.resolve("t/file"), file);

        lake.run();
        lake.run();
        assertThat(file).exists();
        assertThat(linkedFolder).exists();
        assertThat(linkedFile).exists();
    }

    @Test
    void filesThatATableReachesByALinkStayWhereTheyAre() throws IOException {
        branch("main", table("t"));
        Path link = Files.createSymbolicLink(folder.resolve("link"), warehouse.resolve("t"));
        RealTable linked = RealTable.create(lake.io(), link + "/nested", 2, Map.of());
        linked.append(1);
        branch("linked", linked);

        lake.run();
        lake.run();
        assertThat(linked.ids()).containsExactly(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"file:%s/t", "file://%s/t", "file://localhost%s/t", "/%s//t", "%s/./t"})
    void aTableKeepsItsFilesHoweverItsLocationIsSpelled(String spelling) throws IOException {
        RealTable table = RealTable.create(lake.io(), spelling.formatted(warehouse), 2, Map.of());
        table.append(1);
        branch("main", table);
        branch("plain", table("t"));
        Path orphan = orphan("t/x");

        lake.run();
        lake.run();
        assertThat(table.ids()).containsExactly(1);
        assertThat(orphan).doesNotExist();
    }

    @Test
    void namesWithPercentSignsAreNotTakenForEachOther() throws IOException {
        RealTable table = table("a%20b");
        table.append(1);
        branch("main", table);
        Path decoded = orphan("a b/data/x");
        Path literal = orphan("a%20b/data/y");

        lake.run();
        lake.run();
        assertThat(table.ids()).containsExactly(1);
        assertThat(decoded).doesNotExist();
        assertThat(literal).doesNotExist();
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
