package org.anabranch.service;

import static org.anabranch.testing.TestCatalog.MAIN;
import static org.anabranch.testing.TestCatalog.put;
import static org.anabranch.testing.TestCatalog.table;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.anabranch.dag.CommitGraph;
import org.anabranch.index.KeyIndex;
import org.anabranch.index.KeyRange;
import org.anabranch.model.CommitId;
import org.anabranch.model.CommitOutcome.Committed;
import org.anabranch.model.ContentId;
import org.anabranch.model.MergeOutcome.Merged;
import org.anabranch.model.Operation;
import org.anabranch.object.Commit;
import org.anabranch.object.IndexKey;
import org.anabranch.object.ObjectReader;
import org.anabranch.object.StoredObjects;
import org.anabranch.store.memory.MemoryStore;
import org.anabranch.testing.CountingReader;
import org.anabranch.testing.CountingStore;
import org.anabranch.testing.TestCatalog;
import org.anabranch.versioning.commit.WriteLimits;
import org.junit.jupiter.api.Test;

/**
 * Every promised cost in one table, counted under a cold cache at three sizes of the catalog, and once more after a branch and
 * its target were merged a hundred times each way. The table goes to {@code target/costs.md}; the test holds that every row is
 * bounded by what the operation touches, times the depth of the tree.
 */
class CostTableTest {

    private static final int NAMESPACES = 100;
    private static final int CHANGES = 10;
    private static final int BEHIND = 200;

    /** Levels of the tree of 100,000 keys. */
    private static final int LEVELS = 4;

    /** More commits than a walk over jumps of a line of some hundred commits reads. */
    private static final int LINE_READS = 40;

    /**
     * What one operation cost: how many paths down a tree it needs at the most, commits and nodes asked for, what the store was asked for, and what it was given.
     */
    private record Cost(int lookups, int commits, int nodes, int chunks, int trips, int rows, long bytes) {

        String row(String size, String operation) {
            return "| %s | %s | %s | %s | %d | %d | %s | %s |%n"
                    .formatted(
                            operation,
                            size,
                            commits < 0 ? "" : commits,
                            nodes < 0 ? "" : nodes,
                            chunks,
                            trips,
                            rows == 0 ? "" : rows,
                            rows == 0 ? "" : bytes);
        }
    }

    private final MemoryStore memory = new MemoryStore();
    private final StringBuilder table = new StringBuilder("""
            | operation | keys | commits read | nodes read | chunks fetched | store trips | rows written | bytes written |
            |---|---|---|---|---|---|---|---|
            """);
    private int processes;

    private static String key(int i) {
        return "ns-%02d.table-%06d".formatted(i % NAMESPACES, i);
    }

    private static ContentId id(int i) {
        // Ids are counted up from 1: first those of the namespaces, then those of the tables, in order.
        return new ContentId(new UUID(0, NAMESPACES + i + 1));
    }

    private static Operation update(int i, String state) {
        return put(
                key(i),
                table("s3://lake/warehouse/" + key(i).replace('.', '/') + "/metadata/00001-" + state + ".json"),
                id(i));
    }

    private static void fill(TestCatalog catalog, int keys) {
        catalog.commit(
                MAIN,
                IntStream.range(0, NAMESPACES)
                        .mapToObj(i -> put("ns-%02d".formatted(i), TestCatalog.namespace()))
                        .toArray(Operation[]::new));
        for (int from = 0; from < keys; from += 1_000) {
            catalog.commit(
                    MAIN,
                    IntStream.range(from, from + 1_000)
                            .mapToObj(i -> put(key(i), table("s3://lake/warehouse/" + key(i) + "/metadata/00000.json")))
                            .toArray(Operation[]::new));
        }
    }

    private Cost read(int lookups, Consumer<ObjectReader> operation) {
        CountingStore store = new CountingStore(memory);
        StoredObjects objects = new StoredObjects(store, 64 << 20);
        CountingReader reader = new CountingReader(() -> objects);
        operation.accept(reader);
        return new Cost(lookups, reader.commitsRead(), reader.nodesRead(), store.chunksFetched(), store.trips(), 0, 0);
    }

    private Cost write(int lookups, Consumer<TestCatalog> operation) {
        CountingStore store = new CountingStore(memory);
        try (TestCatalog process =
                new TestCatalog(store, memory, WriteLimits.DEFAULT, 1_000_000_000L + 1_000_000L * ++processes)) {
            operation.accept(process);
        }
        return new Cost(
                lookups, -1, -1, store.chunksFetched(), store.trips(), store.rowsWritten(), store.rowBytesWritten());
    }

    private static int walk(Iterator<?> iterator) {
        int count = 0;
        for (; iterator.hasNext(); iterator.next()) {
            count++;
        }
        return count;
    }

    /** Keys all over the catalog: those of the side branch are odd, those of main even. */
    private static int spread(int i, int keys) {
        return 2 * (i * 7919 % (keys / 2));
    }

    private Map<String, Cost> measure(TestCatalog catalog, int keys, String suffix) {
        CommitId old = catalog.head(MAIN);
        for (int i = 0; i < BEHIND; i++) {
            catalog.commit(MAIN, update(spread(i, keys), "main " + i + suffix));
        }
        for (int i = 0; i < CHANGES; i++) {
            catalog.commit("side", update(spread(i, keys) + 1, "side" + suffix));
        }
        Commit main = catalog.commit(catalog.head(MAIN));
        Commit side = catalog.commit(catalog.head("side"));
        Commit fork = new CommitGraph(catalog.objects()).mergeBases(main, side).get(0);

        Map<String, Cost> costs = new LinkedHashMap<>();
        costs.put(
                "get 1 key",
                read(
                        1,
                        reader -> assertThat(
                                        new KeyIndex(reader).find(main.tree(), IndexKey.of(TestCatalog.key(key(7)))))
                                .isPresent()));
        costs.put(
                "get 20 keys",
                read(
                        20,
                        reader -> assertThat(new KeyIndex(reader)
                                        .findAll(
                                                main.tree(),
                                                IntStream.range(0, 20)
                                                        .mapToObj(
                                                                i -> IndexKey.of(TestCatalog.key(key(spread(i, keys)))))
                                                        .toList()))
                                .hasSize(20)));
        costs.put(
                "count a namespace",
                read(
                        2,
                        reader -> assertThat(new KeyIndex(reader)
                                        .count(main.tree(), KeyRange.below(IndexKey.of(TestCatalog.key("ns-42")))))
                                .isEqualTo(keys / NAMESPACES)));
        costs.put(
                "diff, 10 keys differ",
                read(
                        2 * CHANGES,
                        reader -> assertThat(walk(new KeyIndex(reader).diff(fork.tree(), side.tree(), KeyRange.ALL)))
                                .isEqualTo(CHANGES)));
        costs.put(
                "merge base, 200 and 10 commits apart",
                read(
                        2,
                        reader -> assertThat(new CommitGraph(reader).mergeBases(main, side))
                                .isNotEmpty()));
        costs.put(
                "commit 1 key",
                write(1, process -> process.commit(MAIN, update(spread(300, keys) + 1, "new" + suffix))));
        costs.put(
                "commit 1 key, expecting 200 commits ago",
                write(
                        2,
                        process -> assertThat(
                                        process.commitAt(MAIN, old, update(spread(301, keys) + 1, "late" + suffix)))
                                .isInstanceOf(Committed.class)));
        costs.put(
                "merge, 10 keys changed",
                write(
                        4 * CHANGES,
                        process -> assertThat(process.merge("side", MAIN)).isInstanceOf(Merged.class)));
        return costs;
    }

    private void note(String size, Map<String, Cost> costs) {
        costs.forEach((operation, cost) -> table.append(cost.row(size, operation)));
    }

    @Test
    void noCostGrowsWithTheCatalog() throws IOException {
        for (int keys : List.of(1_000, 10_000, 100_000)) {
            CostTableTest size = new CostTableTest();
            try (TestCatalog catalog = new TestCatalog(size.memory)) {
                fill(catalog, keys);
                catalog.branch("side", MAIN);
                Map<String, Cost> costs = size.measure(catalog, keys, "");
                assertBounded(costs);
                note("%,d".formatted(keys), costs);
            }
        }
        CostTableTest merged = new CostTableTest();
        try (TestCatalog catalog = new TestCatalog(merged.memory)) {
            fill(catalog, 10_000);
            catalog.branch("side", MAIN);
            for (int i = 0; i < 100; i++) {
                catalog.commit("side", update(20 * i + 7, "round " + i));
                catalog.commit(MAIN, update(20 * i + 11, "round " + i));
                assertThat(catalog.merge("side", MAIN)).isInstanceOf(Merged.class);
                assertThat(catalog.merge(MAIN, "side")).isInstanceOf(Merged.class);
            }
            Map<String, Cost> costs = merged.measure(catalog, 10_000, " later");
            note("10,000 after 100 merges each way", costs);
            assertBounded(costs);
        }
        Files.writeString(Path.of("target", "costs.md"), table);
    }

    /** Each look-up of a key in a tree may read a path of nodes, and each node the one it is an edit of. */
    private static void assertBounded(Map<String, Cost> costs) {
        costs.forEach((operation, cost) -> {
            assertThat(cost.nodes()).as(operation).isLessThanOrEqualTo(LEVELS * cost.lookups());
            assertThat(cost.chunks()).as(operation).isLessThanOrEqualTo(2 * LEVELS * cost.lookups() + LINE_READS);
            assertThat(cost.commits()).as(operation).isLessThanOrEqualTo(LINE_READS);
            assertThat(cost.rows()).as(operation).isLessThanOrEqualTo(1);
            assertThat(cost.bytes()).as(operation).isLessThan(2_000L * (1 + cost.lookups()));
        });
    }
}
