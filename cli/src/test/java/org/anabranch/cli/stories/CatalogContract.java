package org.anabranch.cli.stories;

import static org.anabranch.cli.lake.Lake.append;
import static org.anabranch.cli.lake.Lake.ids;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.LongStream;
import org.anabranch.cli.lake.Lake;
import org.apache.iceberg.HasTableOperations;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableOperations;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.SupportsNamespaces;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.exceptions.AlreadyExistsException;
import org.apache.iceberg.exceptions.CommitFailedException;
import org.apache.iceberg.exceptions.NamespaceNotEmptyException;
import org.apache.iceberg.exceptions.NoSuchNamespaceException;
import org.apache.iceberg.exceptions.NoSuchTableException;
import org.junit.jupiter.api.Test;

/** What Iceberg expects of any catalog, whatever protocol it speaks. A subclass hands out the catalog. */
abstract class CatalogContract<C extends Catalog & SupportsNamespaces> {

    private static final Namespace SALES = Namespace.of("sales");
    private static final TableIdentifier ORDERS = TableIdentifier.of(SALES, "orders");
    private static final TableIdentifier BILLS = TableIdentifier.of(SALES, "bills");

    private static final int WRITERS = 6;
    private static final int APPENDS = 4;

    /** The catalog under test: without namespaces and tables when a test begins, and the same one all through it. */
    abstract C catalog();

    /** One more client's view of {@link #catalog}, for a thread of its own. */
    abstract C anotherClient() throws Exception;

    @Test
    void namespacesAreCreatedListedAndDropped() {
        Namespace europe = Namespace.of("sales", "eu");
        catalog().createNamespace(SALES, Map.of("owner", "ada"));
        catalog().createNamespace(europe);

        assertThat(catalog().namespaceExists(SALES)).isTrue();
        assertThat(catalog().loadNamespaceMetadata(SALES)).containsEntry("owner", "ada");
        assertThat(catalog().listNamespaces()).containsExactly(SALES);
        assertThat(catalog().listNamespaces(SALES)).containsExactly(europe);
        assertThatThrownBy(() -> catalog().createNamespace(SALES)).isInstanceOf(AlreadyExistsException.class);
        assertThatThrownBy(() -> catalog().dropNamespace(SALES)).isInstanceOf(NamespaceNotEmptyException.class);

        assertThat(catalog().dropNamespace(europe)).isTrue();
        assertThat(catalog().dropNamespace(SALES)).isTrue();
        assertThat(catalog().namespaceExists(SALES)).isFalse();
        assertThat(catalog().listNamespaces()).isEmpty();
        assertThat(catalog().dropNamespace(SALES)).isFalse();
    }

    @Test
    void namespacePropertiesAreSetAndRemoved() {
        catalog().createNamespace(SALES, Map.of("owner", "ada", "tier", "gold"));

        assertThat(catalog().setProperties(SALES, Map.of("tier", "silver"))).isTrue();
        assertThat(catalog().removeProperties(SALES, Set.of("owner"))).isTrue();

        assertThat(catalog().loadNamespaceMetadata(SALES))
                .containsEntry("tier", "silver")
                .doesNotContainKey("owner");
    }

    @Test
    void tablesAreCreatedAndLoaded() {
        catalog().createNamespace(SALES);
        assertThat(catalog().tableExists(ORDERS)).isFalse();
        assertThatThrownBy(() -> catalog().loadTable(ORDERS)).isInstanceOf(NoSuchTableException.class);

        append(catalog().createTable(ORDERS, Lake.ROWS), 1, 2);

        assertThat(catalog().tableExists(ORDERS)).isTrue();
        assertThat(ids(catalog().loadTable(ORDERS))).containsExactly(1L, 2L);
        assertThat(catalog().loadTable(ORDERS).schema().sameSchema(Lake.ROWS)).isTrue();
        assertThatThrownBy(() -> catalog().createTable(ORDERS, Lake.ROWS)).isInstanceOf(AlreadyExistsException.class);
        assertThat(ids(catalog().loadTable(ORDERS))).containsExactly(1L, 2L);
    }

    @Test
    void tablesNeedTheirNamespace() {
        assertThatThrownBy(() -> catalog().createTable(ORDERS, Lake.ROWS)).isInstanceOf(NoSuchNamespaceException.class);
        assertThat(catalog().tableExists(ORDERS)).isFalse();
    }

    @Test
    void tablesAreListed() {
        catalog().createNamespace(SALES);
        catalog().createNamespace(Namespace.of("other"));
        catalog().createTable(ORDERS, Lake.ROWS);
        catalog().createTable(BILLS, Lake.ROWS);
        catalog().createTable(TableIdentifier.of("other", "t"), Lake.ROWS);

        assertThat(catalog().listTables(SALES)).containsExactlyInAnyOrder(ORDERS, BILLS);
    }

    @Test
    void aCommitOnAStaleBaseIsRefusedAndCanBeTriedAgain() {
        catalog().createNamespace(SALES);
        catalog().createTable(ORDERS, Lake.ROWS);
        TableOperations stale = operations(catalog().loadTable(ORDERS));
        TableMetadata staleBase = stale.current();
        append(catalog().loadTable(ORDERS), 1);

        assertThatThrownBy(() -> stale.commit(staleBase, withProperty(staleBase)))
                .isInstanceOf(CommitFailedException.class);

        TableMetadata fresh = stale.refresh();
        stale.commit(fresh, withProperty(fresh));
        Table table = catalog().loadTable(ORDERS);
        assertThat(table.properties()).containsEntry("checked", "yes");
        assertThat(ids(table)).containsExactly(1L);
    }

    @Test
    void tablesAreRenamed() {
        catalog().createNamespace(SALES);
        append(catalog().createTable(ORDERS, Lake.ROWS), 1);
        catalog().createTable(BILLS, Lake.ROWS);

        assertThatThrownBy(() -> catalog().renameTable(ORDERS, BILLS)).isInstanceOf(AlreadyExistsException.class);
        assertThatThrownBy(() -> catalog().renameTable(TableIdentifier.of(SALES, "none"), ORDERS))
                .isInstanceOf(NoSuchTableException.class);
        TableIdentifier sold = TableIdentifier.of(SALES, "sold");
        catalog().renameTable(ORDERS, sold);

        assertThat(catalog().listTables(SALES)).containsExactlyInAnyOrder(BILLS, sold);
        assertThat(ids(catalog().loadTable(sold))).containsExactly(1L);
    }

    @Test
    void aDroppedTableIsRegisteredAgainWithItsRows() {
        catalog().createNamespace(SALES);
        append(catalog().createTable(ORDERS, Lake.ROWS), 1, 2);
        String metadata = operations(catalog().loadTable(ORDERS)).current().metadataFileLocation();

        assertThat(catalog().dropTable(ORDERS, false)).isTrue();
        assertThat(catalog().tableExists(ORDERS)).isFalse();
        assertThat(catalog().dropTable(ORDERS, false)).isFalse();
        catalog().registerTable(BILLS, metadata);

        assertThat(ids(catalog().loadTable(BILLS))).containsExactly(1L, 2L);
        assertThatThrownBy(() -> catalog().registerTable(BILLS, metadata)).isInstanceOf(AlreadyExistsException.class);
    }

    @Test
    void concurrentWritersOfOneTableAllSucceedAndNoAppendIsLostOrThereTwice() throws Exception {
        catalog().createNamespace(SALES);
        catalog()
                .buildTable(ORDERS, Lake.ROWS)
                .withProperty("commit.retry.num-retries", "100")
                .withProperty("commit.retry.min-wait-ms", "1")
                .withProperty("commit.retry.max-wait-ms", "50")
                .create();
        CyclicBarrier start = new CyclicBarrier(WRITERS);
        try (ExecutorService threads = Executors.newFixedThreadPool(WRITERS)) {
            List<Callable<Table>> writers = new ArrayList<>();
            for (int writer = 0; writer < WRITERS; writer++) {
                writers.add(writer(start, writer));
            }
            for (Future<Table> finished : threads.invokeAll(writers)) {
                finished.get();
            }
        }

        Table table = catalog().loadTable(ORDERS);
        assertThat(ids(table))
                .containsExactlyElementsOf(
                        LongStream.range(0, WRITERS * APPENDS).boxed().toList());
        assertThat(table.snapshots()).hasSize(WRITERS * APPENDS);
    }

    private Callable<Table> writer(CyclicBarrier start, int writer) {
        return () -> {
            Table table = anotherClient().loadTable(ORDERS);
            start.await();
            for (int i = 0; i < APPENDS; i++) {
                append(table, (long) writer * APPENDS + i);
            }
            return table;
        };
    }

    private static TableOperations operations(Table table) {
        return ((HasTableOperations) table).operations();
    }

    private static TableMetadata withProperty(TableMetadata metadata) {
        return TableMetadata.buildFrom(metadata)
                .setProperties(Map.of("checked", "yes"))
                .build();
    }
}
