package org.anabranch.gc.sweep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.anabranch.gc.CatalogContent;
import org.anabranch.gc.CatalogEntry;
import org.anabranch.gc.TableFiles.Unreadable;
import org.anabranch.gc.storage.LocalFileIO;
import org.anabranch.model.CommitId;
import org.anabranch.model.ContentKey;
import org.anabranch.testing.RealTable;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.Snapshot;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** In which folders files go, and which folders are left alone. */
class SweptFoldersTest extends LocalLakeFixture {

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
    void aManifestThatBecameUnreadableKeepsTheFilesThatItNamedInAnothersFolder() {
        RealTable owner = table("owner");
        DataFile data = owner.writeData(1);
        branch("owner", owner);
        RealTable guest = table("guest");
        guest.table().newAppend().appendFile(data).commit();
        branch("guest", guest);
        String manifest =
                guest.table().currentSnapshot().allManifests(lake.io()).get(0).path();
        lake.run();
        lake.io().beforeReading(path -> {
            if (path.equals(manifest)) {
                throw new IllegalStateException("not today");
            }
        });
        lake.run();
        lake.run();
        lake.io().beforeReading(path -> {});

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

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/delta/_delta_log",
                "/delta//_delta_log/00000.json",
                "/delta/metadata/v1.json",
                "//delta//metadata/v1.json",
                "/delta"
            })
    void ofATableOfAnotherKindNothingGoesWhateverItsContentNames(String named) throws IOException {
        branch("main", table("t"));
        catalog.branch(
                "delta",
                catalog.commit(
                        CommitId.NO_ANCESTOR,
                        List.of(new CatalogEntry(
                                ContentKey.of("d"),
                                "id of d",
                                new CatalogContent.Foreign("DELTA_LAKE_TABLE", List.of(warehouse + named))))));
        Path data = orphan("delta/part-0.parquet");
        Path gone = orphan("nobody/x");
        lake.reach = Reach.WHOLE_WAREHOUSE;

        lake.run();
        lake.run();
        assertThat(data).exists();
        assertThat(gone).doesNotExist();
    }

    @Test
    void runsOverWarehousesInTurnKeepTheGracePeriodsOfTheOthers() throws IOException {
        RealTable other = RealTable.create(lake.io(), folder + "/wh2/u", 2, Map.of());
        branch("main", table("t"));
        branch("other", other);
        Path first = orphan("t/x");
        Path second = Files.writeString(folder.resolve("wh2/u/x"), "orphan");
        List<Warehouse> one = lake.warehouses;
        List<Warehouse> two = List.of(new Warehouse(folder + "/wh2"));
        lake.run();
        lake.warehouses = two;
        lake.run();
        assertThat(first).exists();

        lake.warehouses = one;
        lake.run();
        assertThat(first).doesNotExist();
        assertThat(second).exists();
        lake.warehouses = two;
        lake.run();
        assertThat(second).doesNotExist();
    }

    @Test
    void aRunThatGoesOnWithFewerWarehousesSaysNothingOfTheOthers() throws IOException {
        branch("main", table("t"));
        Path orphan = orphan("t/x");
        lake.run();
        lake.run(Sweeper.Mode.DRY_RUN);
        lake.warehouses = List.of(new Warehouse(folder + "/wh2"));

        assertThat(lake.resumeInANewProcess(Sweeper.Mode.DRY_RUN).counts()).isEmpty();
        assertThat(lake.resumeInANewProcess().counts()).isEmpty();
        assertThat(orphan).exists();
        assertThat(lake.reported("would-delete")).hasSize(1);
        assertThat(lake.reported("needed-again")).isEmpty();
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
    void aClaimThatIsNoPathOfThisMachineEndsNoSweep() throws IOException {
        branch("main", table("t"));
        branch("odd", RealTable.create(lake.io(), warehouse + "/u", 2, Map.of("write.data.path", warehouse + "/x\0y")));
        branch(
                "long",
                RealTable.create(
                        lake.io(), warehouse + "/v", 2, Map.of("write.data.path", "/" + "%25".repeat(1 << 20))));
        Path orphan = orphan("t/x");

        lake.run();
        assertThat(lake.run().leftAlone())
                .extracting(LeftAlone::cause)
                .containsExactly(LeftAlone.Cause.UNUSABLE, LeftAlone.Cause.UNUSABLE);
        assertThat(orphan).doesNotExist();
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

    @ParameterizedTest
    @CsvSource({
        "wh, wh/t/state",
        "wh, wh/t/../t/state",
        "wh, wh/t/%73tate",
        "wh, link/t/state",
        "wh, into/state",
        "wh, into/../t/state",
        "link, wh/t/state",
        "link, link/t/state",
        "link, second/t/state"
    })
    void theCollectorsOwnFilesStayHoweverTheyAndTheWarehouseAreSpelled(String spelledWarehouse, String spelledState)
            throws IOException {
        lake.close();
        Path lakesFolder = folder.resolve(spelledWarehouse);
        Files.createDirectory(warehouse.resolve("t"));
        Files.createSymbolicLink(folder.resolve("link"), warehouse);
        Files.createSymbolicLink(folder.resolve("second"), folder.resolve("link"));
        Files.createSymbolicLink(folder.resolve("into"), warehouse.resolve("t"));
        Path state = folder.resolve(spelledState);
        lake = new CollectedLake(state, catalog, new LocalFileIO(), lakesFolder.toString());
        branch("main", RealTable.create(lake.io(), lakesFolder + "/t", 2, Map.of()));
        branch("other", RealTable.create(lake.io(), lakesFolder + "/u", 2, Map.of()));
        Path file = orphan("u/x");

        lake.run();
        List<Path> before = files(state);
        assertThat(before).isNotEmpty();
        lake.run();
        assertThat(file).doesNotExist();
        assertThat(files(state)).containsAll(before);
    }

    @Test
    void aWholeWarehouseThatIsASymbolicLinkIsLeftAloneAndReported() throws IOException {
        branch("main", table("t"));
        Path file = orphan("unknown/x");
        Path link = Files.createSymbolicLink(folder.resolve("link"), warehouse);
        lake.warehouses = List.of(new Warehouse(link.toString()));
        lake.reach = Reach.WHOLE_WAREHOUSE;

        lake.run();
        assertThat(lake.run().leftAlone())
                .extracting(LeftAlone::path, LeftAlone::cause)
                .contains(tuple(link.toString(), LeftAlone.Cause.UNLISTED));
        assertThat(file).exists();
    }

    @ParameterizedTest
    @ValueSource(strings = {"_delta_log/00000.json", ".hoodie/hoodie.properties"})
    void aFolderThatHoldsATableOfAnotherKindTooIsLeftAlone(String theirMetadata) throws IOException {
        RealTable both = table("both");
        both.append(1);
        branch("both", both);
        branch("main", table("t"));
        Path metadata = orphan("both/" + theirMetadata);
        Path data = orphan("both/part-0.parquet");
        Path gone = orphan("t/x");

        lake.run();
        SweepSummary summary = lake.run();
        assertThat(metadata).exists();
        assertThat(data).exists();
        assertThat(gone).doesNotExist();
        assertThat(summary.leftAlone())
                .extracting(LeftAlone::path, LeftAlone::cause)
                .containsExactly(tuple("file://" + warehouse + "/both", LeftAlone.Cause.UNTOUCHABLE));
    }

    @Test
    void aTableOfAnotherKindThatComesInTheGracePeriodIsLeftAlone() throws IOException {
        branch("main", table("t"));
        Path data = orphan("t/part-0.parquet");

        lake.run();
        Path metadata = orphan("t/_delta_log/00000.json");
        lake.run();
        assertThat(data).exists();
        assertThat(metadata).exists();
    }

    @Test
    void aWholeWarehouseKeepsTablesOfOtherKinds() throws IOException {
        branch("main", table("t"));
        Path metadata = orphan("delta/_delta_log/00000.json");
        Path data = orphan("delta/part-0.parquet");
        Path gone = orphan("unknown/x");
        lake.reach = Reach.WHOLE_WAREHOUSE;

        lake.run();
        lake.run();
        assertThat(metadata).exists();
        assertThat(data).exists();
        assertThat(gone).doesNotExist();
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
}
