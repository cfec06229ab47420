package org.anabranch.versioning.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.anabranch.model.CommitOutcome;
import org.anabranch.model.ErrorCode;
import org.anabranch.model.ReferenceKind;
import org.anabranch.model.RefusedException;
import org.anabranch.store.Head;
import org.anabranch.store.ReferenceRow;
import org.anabranch.versioning.commit.BranchQueues.Lead;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who leads a branch, who waits, and in which order. */
@Timeout(60)
class BranchQueuesTest {

    private final BranchQueues queues = new BranchQueues(limits(Duration.ofSeconds(60)));

    private static WriteLimits limits(Duration time) {
        return new WriteLimits(10, time, Duration.ofSeconds(30), 10, 1 << 20, 3);
    }

    private static PendingChange<CommitOutcome> change() {
        ReferenceRow seen = new ReferenceRow("main", ReferenceKind.BRANCH, Head.NO_ANCESTOR, 1, 1, 0, List.of());
        return new PendingChange<>(
                seen,
                (head, stage) -> {
                    throw new AssertionError("Nothing is judged in a queue");
                },
                null,
                0);
    }

    /** Enters on a thread of its own, and returns when that sleeps in the queue. */
    private FutureTask<Optional<Lead>> queued(String branch, PendingChange<?> change) {
        FutureTask<Optional<Lead>> entering = new FutureTask<>(() -> queues.enter(branch, change));
        Thread thread = new Thread(entering);
        thread.setDaemon(true);
        thread.start();
        while (!String.valueOf(LockSupport.getBlocker(thread)).contains("Semaphore")) {
            assertThat(entering.isDone()).isFalse();
            Thread.onSpinWait();
        }
        return entering;
    }

    private Lead lead(String branch, PendingChange<?> change) {
        return queues.enter(branch, change).orElseThrow();
    }

    private static void assertUnavailable(Throwable refusal, String message) {
        assertThat(refusal).isInstanceOfSatisfying(RefusedException.class, refused -> {
            assertThat(refused.code()).isEqualTo(ErrorCode.SERVICE_UNAVAILABLE);
            assertThat(refused).hasMessageContaining(message);
        });
    }

    @Test
    void whoFindsABranchIdleLeadsItWhateverOtherBranchesDo() {
        PendingChange<?> first = change();
        PendingChange<?> other = change();
        try (Lead lead = lead("main", first);
                Lead ofOther = lead("other", other)) {
            assertThat(lead.take(10)).isEqualTo(List.of(first));
            assertThat(ofOther.take(10)).isEqualTo(List.of(other));
            assertThat(lead.take(10)).isEmpty();
        }
        try (Lead again = lead("main", change())) {
            assertThat(again.take(10)).hasSize(1);
        }
    }

    @Test
    void changesAreTakenInTheOrderOfTheirArrivalAlsoWhenTheyWerePutBack() throws Exception {
        List<PendingChange<CommitOutcome>> changes = List.of(change(), change(), change());
        PendingChange<?> leading = change();
        List<FutureTask<Optional<Lead>>> waiting = new ArrayList<>();
        try (Lead lead = lead("main", leading)) {
            assertThat(lead.take(10)).isEqualTo(List.of(leading));
            waiting.add(queued("main", changes.get(0)));
            waiting.add(queued("main", changes.get(1)));
            List<PendingChange<?>> taken = lead.take(10);
            assertThat(taken).isEqualTo(changes.subList(0, 2));
            waiting.add(queued("main", changes.get(2)));
            taken.get(0).endRepeated();
            lead.putBack(taken.subList(1, 2));
        }
        assertThat(waiting.get(0).get()).as("it has ended").isEmpty();
        try (Lead next = waiting.get(1).get().orElseThrow()) {
            assertThat(waiting.get(2).isDone()).as("one leads at a time").isFalse();
            assertThat(next.take(1)).isEqualTo(changes.subList(1, 2));
        }
        try (Lead last = waiting.get(2).get().orElseThrow()) {
            assertThat(last.take(1)).isEqualTo(changes.subList(2, 3));
        }
    }

    @Test
    void aFullQueueTakesNobody() {
        try (Lead lead = lead("main", change())) {
            queued("main", change());
            queued("main", change());
            assertThatThrownBy(() -> queues.enter("main", change()))
                    .isInstanceOfSatisfying(
                            RefusedException.class,
                            refusal -> assertThat(refusal.code()).isEqualTo(ErrorCode.TOO_MANY_REQUESTS));
            List<PendingChange<?>> taken = lead.take(10);
            assertThat(taken).hasSize(3);
            taken.forEach(PendingChange::endRepeated);
        }
    }

    @Test
    void whoIsNotTakenInTimeLeaves() {
        BranchQueues hasty = new BranchQueues(limits(Duration.ZERO));
        try (Lead lead = hasty.enter("main", change()).orElseThrow()) {
            assertThatThrownBy(() -> hasty.enter("main", change()))
                    .satisfies(refusal -> assertUnavailable(refusal, "was not begun"));
            assertThat(lead.take(10)).hasSize(1);
            assertThat(lead.take(10)).isEmpty();
        }
    }

    @Test
    void closingWaitsForWhoLeads() throws Exception {
        FutureTask<Void> closing = new FutureTask<>(queues::close, null);
        Thread thread = new Thread(closing);
        try (Lead lead = lead("main", change())) {
            thread.start();
            while (!String.valueOf(LockSupport.getBlocker(thread)).contains("Condition")) {
                assertThat(closing.isDone()).isFalse();
                Thread.onSpinWait();
            }
            assertThatThrownBy(() -> queues.enter("other", change()))
                    .satisfies(refusal -> assertUnavailable(refusal, "shutting down"));
            assertThat(lead.take(10)).hasSize(1);
        }
        closing.get();
    }

    /** Callers of three branches, of which one leads at a time, ends some of what it takes and puts the rest back. */
    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3})
    void everyChangeEndsOnceWithOneLeaderAtATime(long seed) throws Exception {
        int callers = 12;
        BranchQueues roomy = new BranchQueues(
                new WriteLimits(10, Duration.ofSeconds(60), Duration.ofSeconds(30), 10, 1 << 20, callers));
        Map<String, AtomicInteger> leaders = new ConcurrentHashMap<>();
        Map<PendingChange<?>, Integer> ended = new ConcurrentHashMap<>();
        List<Callable<Integer>> tasks = new ArrayList<>();
        for (int caller = 0; caller < callers; caller++) {
            Random random = new Random(seed * 100 + caller);
            tasks.add(() -> {
                int made = 0;
                for (; made < 200; made++) {
                    String branch = "b" + random.nextInt(3);
                    PendingChange<?> change = change();
                    Optional<Lead> entered = roomy.enter(branch, change);
                    if (entered.isPresent()) {
                        try (Lead lead = entered.get()) {
                            AtomicInteger here = leaders.computeIfAbsent(branch, name -> new AtomicInteger());
                            assertThat(here.incrementAndGet()).isOne();
                            List<PendingChange<?>> taken = lead.take(1 + random.nextInt(4));
                            assertThat(taken).first().isSameAs(change);
                            int keeps = 1 + random.nextInt(taken.size());
                            lead.putBack(taken.subList(keeps, taken.size()));
                            taken.subList(0, keeps).forEach(one -> {
                                ended.merge(one, 1, Integer::sum);
                                one.endRepeated();
                            });
                            here.decrementAndGet();
                        }
                    }
                    assertThat(change.result()).isInstanceOf(WriteResult.Repeated.class);
                }
                return made;
            });
        }
        try (ExecutorService threads = Executors.newFixedThreadPool(callers)) {
            for (Future<Integer> done : threads.invokeAll(tasks)) {
                assertThat(done.get()).isEqualTo(200);
            }
        }
        assertThat(ended).hasSize(callers * 200);
        assertThat(ended.values()).containsOnly(1);
        roomy.close();
    }
}
