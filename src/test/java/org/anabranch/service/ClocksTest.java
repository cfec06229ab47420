package org.anabranch.service;

import static org.anabranch.testing.TestCatalog.MAIN;
import static org.anabranch.testing.TestCatalog.at;
import static org.anabranch.testing.TestCatalog.put;
import static org.anabranch.testing.TestCatalog.table;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.anabranch.dag.CommitGraph;
import org.anabranch.model.CommitId;
import org.anabranch.model.CommitOutcome;
import org.anabranch.model.CommitOutcome.Committed;
import org.anabranch.model.CommitRequest;
import org.anabranch.model.GivenMeta;
import org.anabranch.model.Idempotency;
import org.anabranch.object.Commit;
import org.anabranch.store.memory.MemoryStore;
import org.anabranch.testing.FaultyStore;
import org.anabranch.testing.FaultyStore.Fault;
import org.anabranch.testing.TestCatalog;
import org.anabranch.versioning.commit.WriteLimits;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Two processes on one store, of which one has the time of next year, and clocks that are set back. */
class ClocksTest {

    private static final Duration YEAR = Duration.ofDays(365);

    private final MemoryStore memory = new MemoryStore();
    private final FaultyStore faulty = new FaultyStore(memory);
    private final TestCatalog right = new TestCatalog(faulty, memory, WriteLimits.DEFAULT, 0);
    private final CommitGraph graph = new CommitGraph(right.objects());
    private final TestCatalog ahead = new TestCatalog(memory, memory, WriteLimits.DEFAULT, 1_000_000);

    private static CommitRequest request(CommitId expected, String key) {
        return new CommitRequest(at(MAIN, expected), GivenMeta.ofMessage(key), List.of(put(key, table(key))));
    }

    private static Idempotency key(String key) {
        return new Idempotency(key, key.getBytes(StandardCharsets.UTF_8));
    }

    private static void assertTimesRise(List<Commit> newestFirst) {
        List<Long> times =
                newestFirst.reversed().stream().map(Commit::createdAtMicros).toList();
        assertThat(times).isSorted().doesNotHaveDuplicates();
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3})
    void timesRiseAlongABranchWhateverTheClocksSay(long seed) {
        Random random = new Random(seed);
        ahead.tick(YEAR);
        for (int n = 0; n < 60; n++) {
            TestCatalog one = random.nextBoolean() ? right : ahead;
            one.tick(Duration.ofSeconds(random.nextInt(2_000) - 1_000));
            one.commit(MAIN, put("k" + n, table("t")));
        }

        assertThat(right.log(MAIN)).hasSize(60);
        assertTimesRise(right.log(MAIN));
    }

    @Test
    void whatWasAtATimeIsFoundAlsoBehindCommitsOfTheFuture() {
        CommitId now = right.commit(MAIN, put("a", table("a")));
        long time = right.commit(now).createdAtMicros();
        ahead.tick(YEAR);
        CommitId future = ahead.commit(MAIN, put("b", table("b")));
        CommitId after = right.commit(MAIN, put("c", table("c")));

        assertThat(right.commit(after).createdAtMicros())
                .isEqualTo(right.commit(future).createdAtMicros() + 1);
        assertThat(graph.asOf(right.commit(after), time).id()).isEqualTo(now);
        assertThat(graph.asOf(right.commit(after), time + Duration.ofDays(1).toNanos() / 1_000)
                        .id())
                .isEqualTo(now);
        assertThat(graph.asOf(right.commit(after), right.commit(future).createdAtMicros())
                        .id())
                .isEqualTo(future);
    }

    @ParameterizedTest
    @EnumSource(names = {"UNKNOWN_WRITTEN", "UNKNOWN_NOT_WRITTEN", "UNKNOWN_WRITTEN_LATE"})
    void anUnknownOutcomeIsDecidedThoughTheOtherProcessForgetsEarlierHeads(Fault fault) {
        right.commit(MAIN, put("a", table("a")));
        ahead.tick(YEAR);
        faulty.at(2, fault).foreignFirst(3, () -> ahead.commit(MAIN, put("c", table("c"))));

        assertThat(right.commit(request(right.head(MAIN), "b"), "")).isInstanceOf(Committed.class);
        assertThat(right.log(MAIN).stream().map(commit -> commit.requireMeta().message()))
                .containsOnlyOnce("b");
        assertTimesRise(right.log(MAIN));
    }

    @Test
    void aRepeatIsKnownToItsOwnProcessAfterTheClockWasSetBack() {
        CommitOutcome first = right.commit(request(CommitId.NO_ANCESTOR, "a"), key("k"));
        right.tick(Duration.ofHours(-30));

        assertThat(right.commit(request(CommitId.NO_ANCESTOR, "a"), key("k"))).isEqualTo(first);
    }

    /** The store's clock alone says when a repeat is not known any more. */
    @ParameterizedTest
    @ValueSource(longs = {-365, 0, 365})
    void aRepeatIsKnownToAProcessWhateverItsClockSays(long daysAhead) {
        AtomicLong stored = new AtomicLong(1_700_000_000_000_000L);
        faulty.clock(stored::get);
        TestCatalog wrong = new TestCatalog(faulty, memory, WriteLimits.DEFAULT, 1_000_000);
        wrong.tick(Duration.ofDays(daysAhead));
        CommitOutcome first = right.commit(request(CommitId.NO_ANCESTOR, "a"), key("k"));
        CommitOutcome second = wrong.commit(request(right.head(MAIN), "b"), key("l"));

        assertThat(wrong.commit(request(CommitId.NO_ANCESTOR, "a"), key("k"))).isEqualTo(first);
        right.tick(Duration.ofMinutes(2));
        assertThat(right.commit(request(((Committed) first).head(), "b"), key("l")))
                .isEqualTo(second);

        stored.addAndGet(TestCatalog.RECEIPT_LIFETIME.minusMinutes(3).toNanos() / 1_000);
        for (TestCatalog one : List.of(right, wrong)) {
            one.tick(Duration.ofDays(1_000));
            assertThat(one.commit(request(CommitId.NO_ANCESTOR, "a"), key("k"))).isEqualTo(first);
        }
        stored.addAndGet(Duration.ofMinutes(6).toNanos() / 1_000);
        wrong.tick(Duration.ofMinutes(-6));
        assertThat(wrong.commit(request(CommitId.NO_ANCESTOR, "a"), key("k")))
                .as("after its lifetime it is guarded by the expected commit, as without a key")
                .isInstanceOf(CommitOutcome.Conflicted.class);
        assertThat(memory.receiptsAfter("", 10)).isEmpty();
        assertThat(right.log(MAIN)).hasSize(2);
    }
}
