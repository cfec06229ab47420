package org.anabranch.gc.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.anabranch.gc.CatalogContent;
import org.anabranch.gc.CatalogEntry;
import org.anabranch.gc.ContentPointer;
import org.anabranch.gc.TableFiles.Unreadable;
import org.anabranch.gc.storage.LakeFileIO;
import org.anabranch.gc.storage.RequestRate;
import org.anabranch.gc.sweep.SweepSummary.Fate;
import org.anabranch.model.CommitId;
import org.anabranch.model.ContentKey;
import org.anabranch.testing.CatalogInMemory;
import org.anabranch.testing.RealTable;
import org.anabranch.testing.S3Server;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DataFiles;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What goes and what stays of a lake on a real S3 server. */
class S3SweepTest {

    private static S3Server server;
    private static LakeFileIO io;

    @TempDir
    private Path folder;

    private String warehouse;
    private CatalogInMemory catalog;
    private CollectedLake lake;

    @BeforeAll
    static void start(@TempDir Path folder) throws IOException {
        server = S3Server.start(folder, "lake");
        io = new LakeFileIO(server.properties(), RequestRate.unlimited());
    }

    @AfterAll
    static void stop() {
        io.close();
        server.close();
    }

    @BeforeEach
    void open(TestInfo test) {
        warehouse = "s3://lake/" + test.getTestMethod().orElseThrow().getName()
                + Math.abs(test.getDisplayName().hashCode());
        catalog = new CatalogInMemory();
        lake = new CollectedLake(folder.resolve("state"), catalog, io, warehouse);
    }

    @AfterEach
    void close() {
        lake.close();
    }

    private Set<String> files() {
        Set<String> files = new TreeSet<>();
        io.listPrefix(warehouse + "/").forEach(file -> files.add(file.location()));
        return files;
    }

    private void branch(String name, RealTable table) {
        catalog.branch(name, catalog.commit(CommitId.NO_ANCESTOR, List.of(table.entry(name))));
    }

    @Test
    void whatNothingNeedsGoesAndTheTablesRead() {
        RealTable table = RealTable.create(io, warehouse + "/t", 3, Map.of());
        DataFile data = table.append(1, 2);
        table.deleteFirstRowByVector(data);
        branch("main", table);
        Set<String> live = files();
        for (int i = 0; i < 30; i++) {
            RealTable.write(io, warehouse + "/t/data/orphan-" + i, "orphan");
        }
        RealTable.write(io, warehouse + "/t2/other", "not of this table");

        assertThat(lake.run().amount(Fate.IN_GRACE).files()).isEqualTo(30);
        assertThat(lake.run().amount(Fate.DELETED).files()).isEqualTo(30);
        live.add(warehouse + "/t2/other");
        assertThat(files()).isEqualTo(live);
        assertThat(table.ids()).containsExactly(2);
        assertThat(lake.run().counts()).isEmpty();
    }

    @Test
    void aWholeBucketMayBeTheWarehouse() {
        lake.warehouses = List.of(new Warehouse("s3://lake"));
        RealTable table = RealTable.create(io, warehouse + "/t", 2, Map.of());
        table.append(1);
        branch("main", table);
        RealTable.write(io, warehouse + "/t/orphan", "orphan");
        RealTable.write(io, warehouse + "/t-2/other", "not of this table");

        lake.run();
        assertThat(lake.run().amount(Fate.DELETED).files()).isEqualTo(1);
        assertThat(table.ids()).containsExactly(1);
        assertThat(files()).contains(warehouse + "/t-2/other");
    }

    @Test
    void aTableThatLiesInTheBucketItselfIsLeftAloneWithIt() {
        lake.warehouses = List.of(new Warehouse("s3://lake/"));
        RealTable table = RealTable.create(io, warehouse + "/t", 2, Map.of("write.data.path", "s3a://lake/"));
        branch("main", table);
        RealTable.write(io, warehouse + "/elsewhere/x", "not of this table");

        lake.run();
        assertThat(lake.run().leftAlone()).extracting(LeftAlone::cause).containsExactly(LeftAlone.Cause.TOO_HIGH);
        assertThat(files()).contains(warehouse + "/elsewhere/x");
    }

    @Test
    void theSchemesOfS3AreOne() {
        RealTable written = RealTable.create(io, warehouse.replace("s3:", "s3a:") + "/t", 2, Map.of());
        written.append(1);
        branch("main", written);
        RealTable sibling = RealTable.create(io, warehouse.replace("s3:", "s3n:") + "/t", 2, Map.of());
        sibling.append(2);
        branch("sibling", sibling);
        RealTable.write(io, warehouse + "/t/orphan", "orphan");

        lake.run();
        assertThat(lake.run().amount(Fate.DELETED).files()).isEqualTo(1);
        assertThat(written.ids()).containsExactly(1);
        assertThat(sibling.ids()).containsExactly(2);
    }

    @Test
    void keysThatHaveToBeEncodedOnTheirWayAreListedAsTheyAre() {
        RealTable table = RealTable.create(io, warehouse + "/a b=€", 2, Map.of());
        table.append(1);
        branch("main", table);
        RealTable.write(io, warehouse + "/a b=€/data/orphan", "orphan");

        lake.run();
        assertThat(lake.run().amount(Fate.DELETED).files()).isEqualTo(1);
        assertThat(table.ids()).containsExactly(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"?1", "#1"})
    void aNameThatIcebergWouldCutOffIsNotDeletedInPlaceOfAnother(String end) {
        RealTable table = RealTable.create(io, warehouse + "/t", 2, Map.of());
        DataFile data = table.append(1);
        branch("main", table);
        server.put("lake", data.location().substring("s3://lake/".length()) + end, "orphan");

        lake.run();
        assertThat(lake.run().counts()).containsOnlyKeys(Fate.FAILED);
        assertThat(table.ids()).containsExactly(1);
        assertThat(files()).contains(data.location() + end);
        assertThat(lake.reported("failed").get(0).get("reason").asText()).contains("other means");
    }

    @ParameterizedTest
    @ValueSource(strings = {"?1", "#1"})
    void aLiveNameThatIcebergCutsOffKeepsWhatIsThere(String end) {
        RealTable table = RealTable.create(io, warehouse + "/t", 2, Map.of());
        DataFile data = table.writeData(1);
        table.table()
                .newAppend()
                .appendFile(DataFiles.builder(table.table().spec())
                        .copy(data)
                        .withPath(data.location() + end)
                        .build())
                .commit();
        branch("main", table);

        lake.run();
        assertThat(lake.run().counts()).isEmpty();
        assertThat(table.ids()).containsExactly(1);
    }

    @Test
    void missingMetadataIsReportedAsMissing() {
        ContentPointer pointer =
                new ContentPointer(ContentPointer.Kind.ICEBERG_TABLE, warehouse + "/t/metadata/none.metadata.json", 1);
        catalog.branch(
                "main",
                catalog.commit(
                        CommitId.NO_ANCESTOR,
                        List.of(new CatalogEntry(ContentKey.of("t"), "id", new CatalogContent.Iceberg(pointer)))));

        lake.run();
        assertThat(lake.state().untouchables().files())
                .extracting(Unreadable::cause)
                .containsExactly(Unreadable.Cause.MISSING);
    }

    @Test
    void aMissingManifestListIsReportedAsMissing() {
        RealTable table = RealTable.create(io, warehouse + "/t", 2, Map.of());
        table.append(1);
        branch("main", table);
        io.deleteFile(table.table().currentSnapshot().manifestListLocation());

        lake.run();
        assertThat(lake.state().untouchables().files())
                .extracting(Unreadable::cause)
                .containsExactly(Unreadable.Cause.MISSING);
    }
}
