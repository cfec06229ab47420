package org.anabranch.versioning.merge;

import static org.anabranch.testing.TestCatalog.MAIN;
import static org.anabranch.testing.TestCatalog.delete;
import static org.anabranch.testing.TestCatalog.put;
import static org.anabranch.testing.TestCatalog.table;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.anabranch.model.CommitId;
import org.anabranch.model.CommitOutcome.Committed;
import org.anabranch.model.ContentId;
import org.anabranch.model.MergeOutcome.Merged;
import org.anabranch.model.Operation;
import org.anabranch.store.memory.MemoryStore;
import org.anabranch.testing.CountingStore;
import org.anabranch.testing.TestCatalog;
import org.anabranch.versioning.commit.WriteLimits;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What writes cost, counted at the store under a cold cache: they may grow with the change, not with the catalog. */
class WriteCostTest {

    private static final int CHANGES = 10;

    private final MemoryStore memory = new MemoryStore();
    private int processes;

    /** What one request cost. */
    private record Cost(int chunks, int trips, int rows, long bytes) {

        static Cost of(CountingStore store) {
            return new Cost(store.chunksFetched(), store.trips(), store.rowsWritten(), store.rowBytesWritten());
        }
    }

    /** Runs a request in a process that has just started. */
    private Cost cost(Consumer<TestCatalog> request) {
        CountingStore store = new CountingStore(memory);
        TestCatalog fresh = new TestCatalog(store, memory, WriteLimits.DEFAULT, 1_000_000L * ++processes);
        request.accept(fresh);
        return Cost.of(store);
    }

    private static String key(int i) {
        return String.format("table-%06d", i);
    }

    private void fill(TestCatalog catalog, int keys) {
        for (int from = 0; from < keys; from += 1_000) {
            catalog.commit(
                    MAIN,
                    IntStream.range(from, Math.min(keys, from + 1_000))
                            .mapToObj(i -> put(key(i), table("s3://lake/warehouse/" + key(i) + "/metadata/00000.json")))
                            .toArray(Operation[]::new));
        }
    }

    private static Operation update(TestCatalog catalog, int i, String state) {
        // Ids are counted up from 1 in the order of the keys.
        return put(key(i), table(state), new ContentId(new UUID(0, i + 1)));
    }

    @ParameterizedTest
    @ValueSource(ints = {1_000, 10_000, 100_000})
    void aWriteCostsWhatItTouches(int keys) {
        TestCatalog catalog = new TestCatalog(memory);
        fill(catalog, keys);
        catalog.branch("side", MAIN);
        for (int i = 0; i < CHANGES; i++) {
            catalog.commit("side", update(catalog, i * (keys / CHANGES) + 3, "side"));
            catalog.commit(MAIN, update(catalog, i * (keys / CHANGES) + 7, "main"));
        }
        CommitId old = catalog.log(MAIN).get(CHANGES).id();

        Map<String, Cost> costs = new LinkedHashMap<>();
        costs.put("commit", cost(process -> process.commit(MAIN, update(catalog, 1, "x"))));
        costs.put(
                "commit expecting an old commit",
                cost(process -> assertThat(process.commitAt(MAIN, old, update(catalog, 2, "x")))
                        .isInstanceOf(Committed.class)));
        costs.put(
                "merge", cost(process -> assertThat(process.merge("side", MAIN)).isInstanceOf(Merged.class)));

        CommitId side = catalog.head("side");
        costs.put(
                "revert",
                cost(process -> assertThat(process.revert("side", side)).isInstanceOf(Merged.class)));
        costs.put(
                "revert of a key",
                cost(process -> assertThat(process.revert("side", key(3), old)).isInstanceOf(Merged.class)));

        assertThat(costs.get("commit").rows()).isEqualTo(1);
        assertThat(costs.get("commit").chunks()).isLessThan(20);
        assertThat(costs.get("commit").bytes()).isLessThan(4_000);
        assertThat(costs.get("commit expecting an old commit").chunks()).isLessThan(40);
        assertThat(costs.get("merge").rows()).isEqualTo(1);
        assertThat(costs.get("merge").chunks()).isLessThan(15 * CHANGES);
        assertThat(costs.get("merge").trips()).isLessThan(15 * CHANGES);
        for (String revert : new String[] {"revert", "revert of a key"}) {
            assertThat(costs.get(revert).rows()).isEqualTo(1);
            assertThat(costs.get(revert).chunks()).as(revert).isLessThan(60);
            assertThat(costs.get(revert).bytes()).isLessThan(4_000);
        }
    }

    @Test
    void aHundredMergesEachWayDoNotMakeTheNextOneDearer() {
        TestCatalog catalog = new TestCatalog(memory);
        fill(catalog, 10_000);
        catalog.branch("side", MAIN);
        int first = 0;
        int last = 0;
        for (int round = 1; round <= 100; round++) {
            int i = round;
            catalog.commit("side", update(catalog, 20 * i, "side " + i));
            catalog.commit(MAIN, update(catalog, 20 * i + 10, "main " + i));
            Cost there = cost(process -> assertThat(process.merge("side", MAIN)).isInstanceOf(Merged.class));
            Cost back = cost(process -> assertThat(process.merge(MAIN, "side")).isInstanceOf(Merged.class));
            last = there.chunks() + back.chunks();
            first = round == 5 ? last : first;
        }
        assertThat(last).isPositive().isLessThan(2 * first);
    }

    @Test
    @Timeout(60)
    void aLongChainOfRenamesIsJoinedInAboutAsManySteps() {
        int keys = 30_000;
        TestCatalog catalog = new TestCatalog(memory);
        fill(catalog, keys);
        catalog.branch("side", MAIN);
        catalog.commit(
                "side",
                IntStream.range(0, keys)
                        .boxed()
                        .flatMap(i -> Stream.of(delete(key(i)), moved(i, (i + 1) % keys)))
                        .sorted(Comparator.comparing(operation -> operation instanceof Operation.Put))
                        .toArray(Operation[]::new));
        catalog.commit(MAIN, put("other", table("x")));
        assertThat(catalog.merge("side", MAIN)).isInstanceOf(Merged.class);
    }

    /** Puts the content of the i-th key under another one. */
    private static Operation moved(int i, int to) {
        return put(key(to), table("moved"), new ContentId(new UUID(0, i + 1)));
    }
}
