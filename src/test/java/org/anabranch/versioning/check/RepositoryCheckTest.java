package org.anabranch.versioning.check;

import static org.anabranch.testing.TestCatalog.MAIN;
import static org.anabranch.testing.TestCatalog.put;
import static org.anabranch.testing.TestCatalog.table;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.SortedMap;
import java.util.stream.IntStream;
import org.anabranch.model.Content;
import org.anabranch.model.ContentKey;
import org.anabranch.model.Operation;
import org.anabranch.store.Change;
import org.anabranch.store.memory.MemoryStore;
import org.anabranch.testing.CountingStore;
import org.anabranch.testing.RandomHistory;
import org.anabranch.testing.TestCatalog;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is as it must be gives no finding, at the cost of what was written. {@link DamageTest} has the rest. */
class RepositoryCheckTest {

    /** Enough for a block of commits, and much less than a catalog of 20,000 keys takes. */
    private static final long SMALL_CACHE_BYTES = 6 << 20;

    @Test
    void anEmptyRepositoryIsClean() {
        try (TestCatalog catalog = new TestCatalog()) {
            CheckReport report = RepositoryCheck.full(catalog.store());

            assertThat(report.isClean()).isTrue();
            assertThat(report.references()).isEqualTo(1);
            assertThat(report.commits()).isZero();
        }
    }

    @Test
    void aStoreWithoutARepositoryIsNotClean() {
        assertThat(RepositoryCheck.full(new MemoryStore()).findings())
                .singleElement()
                .matches(finding -> finding.kind() == Finding.Kind.REPOSITORY);
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(ints = {1, 2, 3, 4, 5, 6})
    void randomHistoriesAreClean(int seed) {
        try (TestCatalog catalog = new TestCatalog()) {
            Random random = new Random(seed);
            RandomHistory history = new RandomHistory(catalog, random);
            history.fill(MAIN, random.nextInt(3_000));
            catalog.branch("side", MAIN);
            catalog.branch("unborn", MAIN);
            history.grow("side", MAIN, 20);
            history.grow(MAIN, "side", 150);

            CheckReport report = RepositoryCheck.full(catalog.store());

            assertThat(report).matches(CheckReport::isClean);
            assertThat(report.verified()).isEqualTo(report.commits()).isGreaterThan(170);
            assertThat(report.notJudged()).isZero();
        }
    }

    @Test
    void rowsThatNothingReachesAreCountedAndNotVerified() {
        try (TestCatalog catalog = new TestCatalog()) {
            catalog.commit(MAIN, put("a", table("x")));
            catalog.branch("gone", MAIN);
            catalog.commit("gone", put("b", table("x")));
            var row = catalog.row("gone");
            catalog.store().write(List.of(), List.of(), new Change.OfReference("gone", row, null), List.of());

            CheckReport report = RepositoryCheck.full(catalog.store());

            assertThat(report).matches(CheckReport::isClean);
            assertThat(report.rows()).isEqualTo(2);
            assertThat(report.commits()).isEqualTo(1);
        }
    }

    /** The catalog is ten times as large, and a commit of it is verified by reading a third more at most. */
    @Test
    void aCommitCostsWhatItTouched() {
        double small = chunksPerCommit(2_000);
        double large = chunksPerCommit(20_000);

        assertThat(small).isLessThan(6);
        assertThat(large).isLessThan(8);
    }

    /** Chunks read for each of many small commits on top of so many keys; what the load itself costs is left out. */
    private static double chunksPerCommit(int keys) {
        int commits = 400;
        CountingStore store = new CountingStore(new MemoryStore());
        try (TestCatalog catalog = new TestCatalog(store)) {
            for (int from = 0; from < keys; from += 1_000) {
                catalog.commit(
                        MAIN,
                        IntStream.range(from, from + 1_000)
                                .mapToObj(i -> put("t" + i, table("first")))
                                .toArray(Operation[]::new));
            }
            store.resetCounts();
            RepositoryCheck.full(store);
            int load = store.chunksFetched();
            SortedMap<ContentKey, Content> contents = catalog.contents(MAIN);
            Random random = new Random(1);
            for (int i = 0; i < commits; i++) {
                String key = "t" + random.nextInt(keys);
                catalog.commit(
                        MAIN,
                        put(
                                key,
                                table("state " + i),
                                contents.get(TestCatalog.key(key)).id()));
            }
            store.resetCounts();
            assertThat(new CheckRun(store, CheckLevel.FULL, (stage, done, total) -> {}, () -> false, SMALL_CACHE_BYTES)
                            .run())
                    .matches(CheckReport::isClean);
            assertThat(store.trips())
                    .as("what a block of commits needs is read together, also if it was forgotten since")
                    .isLessThan(2 * commits);
            store.resetCounts();
            List<Long> told = new ArrayList<>();
            CheckReport report = new RepositoryCheck(store)
                    .run(CheckLevel.FULL, (stage, done, total) -> told.add(total), () -> false);
            assertThat(report).matches(CheckReport::isClean);
            assertThat(told).contains(report.commits());
            return (store.chunksFetched() - load) / (double) commits;
        }
    }
}
