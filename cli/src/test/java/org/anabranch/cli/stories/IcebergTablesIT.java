package org.anabranch.cli.stories;

import static org.anabranch.cli.lake.Lake.append;
import static org.anabranch.cli.lake.Lake.ids;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.anabranch.cli.lake.Lake;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.exceptions.CommitFailedException;
import org.apache.iceberg.exceptions.NoSuchTableException;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.nessie.NessieCatalog;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.projectnessie.error.NessieReferenceConflictException;
import org.projectnessie.model.Branch;
import org.projectnessie.model.MergeResponse;

/** What a data engineer does through Iceberg's Nessie catalog, on real Parquet files in a local warehouse. */
class IcebergTablesIT {

    @RegisterExtension
    static final RunningService SERVICE = new RunningService();

    private static final Namespace SHOP = Namespace.of("shop");
    private static final TableIdentifier ORDERS = TableIdentifier.of(SHOP, "orders");
    private static final TableIdentifier ITEMS = TableIdentifier.of(SHOP, "items");

    private final Lake lake = new Lake(SERVICE.api(), SERVICE.folder().resolve("warehouse"));
    private final List<NessieCatalog> opened = new ArrayList<>();
    private CatalogClient client;
    private Branch trunk;
    private NessieCatalog main;

    /** A branch that plays main, with two tables of three and of two rows. */
    @BeforeEach
    void createTables() throws Exception {
        client = new CatalogClient(SERVICE.api());
        trunk = client.emptyBranch("main");
        main = at(trunk);
        main.createNamespace(SHOP);
        append(main.createTable(ORDERS, Lake.ROWS), 1, 2, 3);
        append(main.createTable(ITEMS, Lake.ROWS), 10, 20);
    }

    @AfterEach
    void close() throws Exception {
        for (NessieCatalog catalog : opened) {
            catalog.close();
        }
        client.close();
    }

    @Test
    void rowsComeBackFromParquetFiles() throws Exception {
        Table orders = at(trunk).loadTable(ORDERS);

        assertThat(ids(orders)).containsExactly(1L, 2L, 3L);
        try (CloseableIterable<FileScanTask> files = orders.newScan().planFiles()) {
            assertThat(files).singleElement().satisfies(task -> {
                assertThat(task.file().format()).isEqualTo(FileFormat.PARQUET);
                assertThat(task.file().recordCount()).isEqualTo(3);
                assertThat(orders.io().newInputFile(task.file().location()).exists())
                        .isTrue();
            });
        }
    }

    @Test
    void aBranchIsIsolatedAndItsMergePublishesAllItsTablesAtOnce() throws Exception {
        Branch etl = client.branch("etl", client.head(trunk));
        NessieCatalog onEtl = at(etl);
        append(onEtl.loadTable(ORDERS), 4);
        append(onEtl.loadTable(ITEMS), 30);
        append(onEtl.loadTable(ORDERS), 5);
        assertThat(rows(onEtl)).containsExactly(List.of(1L, 2L, 3L, 4L, 5L), List.of(10L, 20L, 30L));
        assertThat(rows(at(trunk)))
                .as("readers of main while the run is under way")
                .containsExactly(List.of(1L, 2L, 3L), List.of(10L, 20L));

        int commitsBefore = client.messages(trunk).size();
        MergeResponse merge = client.api()
                .mergeRefIntoBranch()
                .branch(client.head(trunk))
                .fromRef(client.head(etl))
                .message("publish")
                .merge();

        assertThat(merge.wasApplied()).isTrue();
        assertThat(client.messages(trunk)).hasSize(commitsBefore + 1).startsWith("publish");
        assertThat(rows(main)).containsExactly(List.of(1L, 2L, 3L, 4L, 5L), List.of(10L, 20L, 30L));
    }

    @Test
    void aCatalogSetToAnotherApiVersionIsToldToCheckTheAddress() throws Exception {
        Map<String, String> properties = Map.of(
                "uri",
                SERVICE.api().toString(),
                "warehouse",
                SERVICE.folder().resolve("warehouse").toString(),
                "client-api-version",
                "1");
        try (NessieCatalog catalog = new NessieCatalog()) {
            assertThatThrownBy(() -> {
                        catalog.initialize("lake", properties);
                        catalog.listNamespaces();
                    })
                    .hasMessageStartingWith("API version mismatch, check URI prefix");
        }
    }

    @Test
    void aReaderPinnedAtAHashNeverMoves() throws Exception {
        Branch then = client.head(trunk);
        NessieCatalog pinned = open(lake.at(trunk.getName(), then.getHash()));
        Table before = pinned.loadTable(ORDERS);

        append(main.loadTable(ORDERS), 4);
        main.dropTable(ITEMS, false);
        before.refresh();

        assertThat(ids(before)).containsExactly(1L, 2L, 3L);
        assertThat(rows(pinned)).containsExactly(List.of(1L, 2L, 3L), List.of(10L, 20L));
        assertThat(rows(open(lake.at(trunk.getName(), then.getHash()))))
                .as("time travel by a catalog that is opened later")
                .containsExactly(List.of(1L, 2L, 3L), List.of(10L, 20L));
        assertThatThrownBy(() -> append(pinned.loadTable(ORDERS), 5))
                .as("a hash is no place to write to")
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aRenamedTableKeepsItsRowsAndItsHistory() throws Exception {
        Branch before = client.head(trunk);
        TableIdentifier articles = TableIdentifier.of(SHOP, "articles");

        main.renameTable(ITEMS, articles);
        append(main.loadTable(articles), 30);

        assertThat(ids(main.loadTable(articles))).containsExactly(10L, 20L, 30L);
        assertThat(main.tableExists(ITEMS)).isFalse();
        assertThat(main.listTables(SHOP)).containsExactlyInAnyOrder(ORDERS, articles);
        assertThat(ids(open(lake.at(trunk.getName(), before.getHash())).loadTable(ITEMS)))
                .containsExactly(10L, 20L);
    }

    @Test
    void aTableRenamedOnABranchIsMergedAsOne() throws Exception {
        Branch tidy = client.branch("tidy", client.head(trunk));
        TableIdentifier articles = TableIdentifier.of(SHOP, "articles");
        at(tidy).renameTable(ITEMS, articles);
        append(main.loadTable(ORDERS), 4);

        client.api()
                .mergeRefIntoBranch()
                .branch(client.head(trunk))
                .fromRef(client.head(tidy))
                .merge();

        assertThat(main.listTables(SHOP)).containsExactlyInAnyOrder(ORDERS, articles);
        assertThat(ids(main.loadTable(articles))).containsExactly(10L, 20L);
        assertThat(ids(main.loadTable(ORDERS))).containsExactly(1L, 2L, 3L, 4L);
    }

    @Test
    void aDroppedTableIsGoneFromTheBranchOnly() throws Exception {
        Branch other = client.branch("other", client.head(trunk));

        assertThat(main.dropTable(ORDERS, false)).isTrue();

        assertThatThrownBy(() -> main.loadTable(ORDERS)).isInstanceOf(NoSuchTableException.class);
        assertThat(main.dropTable(ORDERS, false)).isFalse();
        assertThat(ids(at(other).loadTable(ORDERS))).containsExactly(1L, 2L, 3L);
    }

    @Test
    void aTableChangedOnBothSidesIsNotMerged() throws Exception {
        Branch etl = client.branch("etl", client.head(trunk));
        append(at(etl).loadTable(ORDERS), 4);
        append(at(etl).loadTable(ITEMS), 30);
        append(main.loadTable(ORDERS), 5);
        Branch before = client.head(trunk);

        assertThatThrownBy(() -> client.api()
                        .mergeRefIntoBranch()
                        .branch(before)
                        .fromRef(client.head(etl))
                        .merge())
                .isInstanceOfSatisfying(
                        NessieReferenceConflictException.class,
                        refusal -> assertThat(CatalogClient.conflicts(refusal))
                                .containsExactly("VALUE_DIFFERS shop.orders"));
        assertThat(client.head(trunk)).isEqualTo(before);
        assertThat(rows(main)).containsExactly(List.of(1L, 2L, 3L, 5L), List.of(10L, 20L));
    }

    @Test
    void ofTwoWritersThatRaceExactlyOneMeetsAConflictAndThenSucceeds() throws Exception {
        main.loadTable(ORDERS)
                .updateProperties()
                .set("commit.retry.num-retries", "0")
                .commit();
        CyclicBarrier bothLoaded = new CyclicBarrier(2);
        int conflicts = 0;
        try (ExecutorService writers = Executors.newFixedThreadPool(2)) {
            for (Future<Integer> race : writers.invokeAll(List.of(racer(bothLoaded, 4), racer(bothLoaded, 5)))) {
                conflicts += race.get();
            }
        }

        assertThat(conflicts).isEqualTo(1);
        assertThat(ids(main.loadTable(ORDERS))).containsExactly(1L, 2L, 3L, 4L, 5L);
    }

    /** Appends to a table that both racers loaded before either wrote; returns how often it was refused. */
    private Callable<Integer> racer(CyclicBarrier bothLoaded, long id) {
        return () -> {
            try (NessieCatalog catalog = lake.at(trunk.getName())) {
                Table table = catalog.loadTable(ORDERS);
                bothLoaded.await();
                try {
                    append(table, id);
                    return 0;
                } catch (CommitFailedException e) {
                    table.refresh();
                    append(table, id);
                    return 1;
                }
            }
        };
    }

    private NessieCatalog at(Branch branch) {
        return open(lake.at(branch.getName()));
    }

    private NessieCatalog open(NessieCatalog catalog) {
        opened.add(catalog);
        return catalog;
    }

    private static List<List<Long>> rows(NessieCatalog catalog) {
        return List.of(ids(catalog.loadTable(ORDERS)), ids(catalog.loadTable(ITEMS)));
    }
}
