package org.anabranch.versioning.commit;

import static org.anabranch.testing.TestCatalog.MAIN;
import static org.anabranch.testing.TestCatalog.put;
import static org.anabranch.testing.TestCatalog.table;
import static org.anabranch.testing.TestCatalog.unchanged;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.anabranch.model.CommitId;
import org.anabranch.model.CommitMeta;
import org.anabranch.model.CommitOutcome;
import org.anabranch.model.CommitOutcome.Committed;
import org.anabranch.model.CommitOutcome.Conflicted;
import org.anabranch.model.CommitRequest;
import org.anabranch.model.ContentId;
import org.anabranch.model.ErrorCode;
import org.anabranch.model.GivenMeta;
import org.anabranch.model.HeadKeptMoving;
import org.anabranch.model.Idempotency;
import org.anabranch.model.OutcomeUndecided;
import org.anabranch.model.RefusedException;
import org.anabranch.object.Commit;
import org.anabranch.store.Change;
import org.anabranch.store.Head;
import org.anabranch.store.ReferenceRow;
import org.anabranch.store.StoreUnavailableException;
import org.anabranch.store.Turn;
import org.anabranch.store.memory.MemoryStore;
import org.anabranch.testing.CountingStore;
import org.anabranch.testing.FaultyStore;
import org.anabranch.testing.FaultyStore.Fault;
import org.anabranch.testing.ForwardingStore;
import org.anabranch.testing.TestCatalog;
import org.anabranch.versioning.refs.HeadPublisher;
import org.anabranch.versioning.refs.RecentHeadsLimit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How writes of one branch are shared, repeated and ended. */
@Timeout(60)
class BranchWriterTest {

    private final MemoryStore memory = new MemoryStore();
    private final FaultyStore store = new FaultyStore(memory);
    private final TestCatalog catalog = catalog(WriteLimits.DEFAULT);

    /** A second process on the same store. */
    private final TestCatalog other = new TestCatalog(memory, memory, WriteLimits.DEFAULT, 1_000_000);

    private TestCatalog catalog(WriteLimits limits) {
        return new TestCatalog(store, memory, limits, 0);
    }

    private static WriteLimits limits(int attempts, int batchRequests, long batchBytes, int waiting) {
        return new WriteLimits(
                attempts,
                WriteLimits.DEFAULT.time(),
                WriteLimits.DEFAULT.judgementTime(),
                batchRequests,
                batchBytes,
                waiting);
    }

    /** A call in a thread of its own. */
    private record Running<T>(Thread thread, FutureTask<T> task) {

        static <T> Running<T> of(Callable<T> call) {
            FutureTask<T> task = new FutureTask<>(call);
            Thread thread = new Thread(task);
            thread.setDaemon(true);
            thread.start();
            return new Running<>(thread, task);
        }

        T result() throws Exception {
            return task.get();
        }

        /** Returns when the call sleeps in the queue of its branch. */
        void awaitQueued() {
            while (!String.valueOf(LockSupport.getBlocker(thread)).contains("Semaphore")) {
                assertThat(task.isDone() || Thread.currentThread().isInterrupted())
                        .isFalse();
                Thread.onSpinWait();
            }
        }
    }

    /** Lets calls queue up behind the next write, in their order. */
    private <T> List<Running<T>> whileWriting(TestCatalog leader, List<Callable<T>> calls) {
        List<Running<T>> queued = new ArrayList<>();
        store.foreignFirst(store.writes() + 1, () -> {
            for (Callable<T> call : calls) {
                Running<T> running = Running.of(call);
                running.awaitQueued();
                queued.add(running);
            }
        });
        leader.commit(MAIN, put("leader", table("x")));
        return queued;
    }

    private static List<String> messages(TestCatalog catalog) {
        List<String> messages = new ArrayList<>();
        catalog.log(MAIN).forEach(commit -> messages.add(0, commit.requireMeta().message()));
        return messages;
    }

    @Test
    void requestsThatArriveDuringAWriteShareTheNextOne() throws Exception {
        List<Callable<CommitOutcome>> calls = IntStream.range(0, 20)
                .<Callable<CommitOutcome>>mapToObj(
                        i -> () -> catalog.commit(MAIN, CommitId.NO_ANCESTOR, "c" + i, put("k" + i, table("x"))))
                .toList();
        for (Running<CommitOutcome> running : whileWriting(catalog, calls)) {
            assertThat(running.result()).isInstanceOf(Committed.class);
        }
        assertThat(store.writes()).isEqualTo(2);
        List<Commit> log = catalog.log(MAIN);
        assertThat(log).hasSize(21);
        for (int i = 1; i < log.size(); i++) {
            assertThat(log.get(i - 1).parents()).containsExactly(log.get(i).head());
            assertThat(log.get(i - 1).createdAtMicros())
                    .isGreaterThan(log.get(i).createdAtMicros());
        }
        assertThat(messages(catalog).subList(1, 21))
                .isEqualTo(IntStream.range(0, 20).mapToObj(i -> "c" + i).toList());
        assertThat(catalog.row(MAIN).published()).as("one entry for each write").hasSize(2);
    }

    @Test
    void batchesAreBoundedByRequestsAndByBytes() throws Exception {
        for (WriteLimits limits : List.of(limits(10, 4, 1 << 20, 100), limits(10, 100, 1, 100))) {
            TestCatalog bounded = catalog(limits);
            int before = store.writes();
            List<Callable<CommitOutcome>> calls = IntStream.range(0, 8)
                    .<Callable<CommitOutcome>>mapToObj(
                            i -> () -> bounded.commit(MAIN, CommitId.NO_ANCESTOR, "c" + i, unchanged("never")))
                    .toList();
            for (Running<CommitOutcome> running : whileWriting(bounded, calls)) {
                assertThat(running.result()).isInstanceOf(Committed.class);
            }
            assertThat(store.writes() - before).isEqualTo(limits.batchBytes() == 1 ? 9 : 3);
            bounded.commit(MAIN, TestCatalog.delete("leader"));
        }
    }

    /** The second request is in conflict with the first one only; when that one cannot be published, it is judged again. */
    @Test
    void whatWasJudgedOnAnUnpublishedCommitIsJudgedAgain() throws Exception {
        catalog.commit(MAIN, put("u", table("u0")));
        CommitId seen = catalog.head(MAIN);
        ContentId u = catalog.id(MAIN, "u");
        store.foreignFirst(store.writes() + 2, () -> other.commit(MAIN, put("z", table("z"))));
        List<Running<CommitOutcome>> queued = whileWriting(
                catalog,
                List.of(
                        () -> catalog.commitAt(MAIN, seen, put("u", table("first"), u), unchanged("z")),
                        () -> catalog.commitAt(MAIN, seen, put("u", table("second"), u))));
        assertThat(queued.get(0).result()).isInstanceOf(Conflicted.class);
        assertThat(queued.get(1).result()).isInstanceOf(Committed.class);
        assertThat(catalog.content(MAIN, "u")).isEqualTo(table("second").withId(u));
    }

    @Test
    void aRefusalOfOneRequestLeavesTheOthersAlone() throws Exception {
        catalog.commit(MAIN, put("u", table("u0")));
        CommitId seen = catalog.head(MAIN);
        ContentId u = catalog.id(MAIN, "u");
        List<Running<CommitOutcome>> queued = whileWriting(
                catalog,
                List.of(
                        () -> catalog.commitAt(MAIN, seen, put("u", table("first"), u)),
                        () -> catalog.commitAt(MAIN, seen, put("u", table("second"), u)),
                        () -> catalog.commitAt(MAIN, seen, put("third", table("x")))));
        assertThat(queued.get(0).result()).isInstanceOf(Committed.class);
        assertThat(queued.get(1).result()).isInstanceOf(Conflicted.class);
        assertThat(queued.get(2).result()).isInstanceOf(Committed.class);
    }

    private static Callable<CommitOutcome> keyed(TestCatalog process, String key) {
        CommitRequest request = new CommitRequest(
                TestCatalog.at(MAIN, CommitId.NO_ANCESTOR), GivenMeta.ofMessage(key), List.of(unchanged("never")));
        return () -> process.commit(request, new Idempotency(key, new byte[0]));
    }

    @Test
    void aRepeatThatSharesTheWriteOfItsFirstSendingHasTheSameAnswer() throws Exception {
        List<Running<CommitOutcome>> queued = whileWriting(
                catalog, List.of(keyed(catalog, "k"), keyed(catalog, "k"), keyed(catalog, "l"), keyed(catalog, "k")));

        assertThat(queued.get(0).result()).isInstanceOf(Committed.class);
        assertThat(queued.get(1).result()).isEqualTo(queued.get(0).result());
        assertThat(queued.get(2).result()).isInstanceOf(Committed.class);
        assertThat(queued.get(3).result()).isEqualTo(queued.get(0).result());
        assertThat(messages(catalog)).containsExactly("commit", "k", "l");
        assertThat(store.writes()).isEqualTo(2);
    }

    @Test
    void whatAnotherProcessAppliedLeavesTheRestOfTheBatchAlone() throws Exception {
        List<CommitOutcome> theirs = new ArrayList<>();
        store.foreignFirst(2, () -> {
            try {
                theirs.add(keyed(other, "k").call());
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        });
        List<Running<CommitOutcome>> queued = whileWriting(
                catalog, List.of(keyed(catalog, "j"), keyed(catalog, "k"), keyed(catalog, "k"), keyed(catalog, "l")));

        assertThat(queued.get(0).result()).isInstanceOf(Committed.class);
        assertThat(queued.get(1).result()).isEqualTo(theirs.get(0));
        assertThat(queued.get(2).result()).isEqualTo(theirs.get(0));
        assertThat(queued.get(3).result()).isInstanceOf(Committed.class);
        assertThat(messages(catalog)).containsExactly("commit", "k", "j", "l");
    }

    /** The write arrives late, between two resendings: its own receipt is no sign that somebody else was faster. */
    @Test
    void aLateWriteFindsItsOwnReceipt() throws Exception {
        store.at(1, Fault.UNKNOWN_WRITTEN_LATE);

        CommitOutcome outcome = keyed(catalog, "k").call();

        assertThat(outcome).isInstanceOf(Committed.class);
        assertThat(keyed(catalog, "k").call()).isEqualTo(outcome);
        assertThat(messages(catalog)).containsExactly("k");
    }

    /** Its request reads the branch, and its write finds whether that still holds. */
    @Test
    void aCommitThatIsAloneMakesTwoTrips() {
        CountingStore counting = new CountingStore(memory);
        TestCatalog alone = new TestCatalog(counting, memory, WriteLimits.DEFAULT, 2_000_000);
        alone.commitAt(MAIN, CommitId.NO_ANCESTOR, put("first", table("x")));
        CommitId head = alone.head(MAIN);
        counting.resetCounts();
        assertThat(alone.commitAt(MAIN, head, put("second", table("x")))).isInstanceOf(Committed.class);
        assertThat(counting.trips()).isEqualTo(2);
    }

    @Test
    void whoSawAnotherProcessIsNotJudgedOnAnOlderHead() {
        catalog.commit(MAIN, put("k", table("x")));
        other.commit(MAIN, TestCatalog.delete("k"));
        assertThat(catalog.commitAt(MAIN, CommitId.NO_ANCESTOR, put("k", table("y"))))
                .as("in conflict with where this process left the branch, but not any more")
                .isInstanceOf(Committed.class);
        assertThat(store.writes()).isEqualTo(2);
    }

    /** No write would find the head of the batch outdated: its leader is in conflict there, and stages nothing. */
    @Test
    void norIsWhoArrivesWhenABatchHasReadItsHead() throws Exception {
        List<Runnable> onceRead = new ArrayList<>();
        FaultyStore raced = new FaultyStore(new ForwardingStore(memory) {
            @Override
            public Turn turn(String name) {
                Turn turn = delegate.turn(name);
                onceRead.forEach(Runnable::run);
                onceRead.clear();
                return turn;
            }
        });
        TestCatalog here = new TestCatalog(raced, memory, WriteLimits.DEFAULT, 2_000_000);
        List<Running<CommitOutcome>> arrived = new ArrayList<>();
        onceRead.add(() -> {
            CommitId theirs = other.commit(MAIN, put("later", table("x")));
            arrived.add(Running.of(() -> here.commitAt(MAIN, theirs, put("ours", table("x")))));
            arrived.get(0).awaitQueued();
        });
        raced.foreignFirst(1, () -> other.commit(MAIN, put("k", table("theirs"))));

        assertThat(here.commitAt(MAIN, CommitId.NO_ANCESTOR, put("k", table("ours"))))
                .isInstanceOf(Conflicted.class);
        assertThat(arrived.get(0).result()).isInstanceOf(Committed.class);
    }

    @Test
    void aLostRaceIsRepeatedOnTheNewHead() {
        store.foreignFirst(1, () -> other.commit(MAIN, put("theirs", table("x"))));
        CommitOutcome outcome = catalog.commitAt(MAIN, CommitId.NO_ANCESTOR, put("ours", table("x")));
        assertThat(outcome).isInstanceOf(Committed.class);
        assertThat(catalog.contents(MAIN)).hasSize(2);
        assertThat(store.writes()).isEqualTo(2);
    }

    @Test
    void afterALostRaceBatchesTakeTurnsForAsLongAsOthersMoveTheBranch() {
        catalog.commit(MAIN, put("alone", table("x")));
        assertThat(store.turns()).isZero();
        store.foreignFirst(2, () -> other.commit(MAIN, put("theirs", table("x"))));
        catalog.commit(MAIN, put("lost", table("x")));
        assertThat(store.turns()).as("the race was lost, the turn was not").isEqualTo(1);
        assertThat(store.writes()).isEqualTo(3);

        catalog.pause(Duration.ofMillis(1_500));
        other.commit(MAIN, put("theirs again", table("x")));
        catalog.commit(MAIN, put("second", table("x")));
        catalog.pause(Duration.ofMillis(1_500));
        catalog.commit(MAIN, put("third", table("x")));
        assertThat(store.turns()).isEqualTo(3);

        catalog.pause(Duration.ofMillis(600));
        catalog.commit(MAIN, put("alone again", table("x")));
        assertThat(store.turns()).isEqualTo(3);
    }

    @Test
    void aBatchGrowsWhileItsTurnIsWaitedFor() throws Exception {
        List<Running<CommitOutcome>> queued = new ArrayList<>();
        store.foreignFirst(1, () -> other.commit(MAIN, put("theirs", table("x"))));
        store.whileWaiting(1, () -> {
            for (int i = 0; i < 5; i++) {
                String key = "k" + i;
                queued.add(Running.of(() -> catalog.commitAt(MAIN, CommitId.NO_ANCESTOR, put(key, table("x")))));
                queued.get(i).awaitQueued();
            }
        });
        catalog.commit(MAIN, put("leader", table("x")));
        for (Running<CommitOutcome> running : queued) {
            assertThat(running.result()).isInstanceOf(Committed.class);
        }
        assertThat(store.writes()).as("one lost, one for all").isEqualTo(2);
    }

    @Test
    void aHeadThatKeepsMovingIsToldFromAConflict() {
        TestCatalog impatient = catalog(limits(3, 10, 1 << 20, 10));
        for (int write = 1; write <= 3; write++) {
            int n = write;
            store.foreignFirst(write, () -> other.commit(MAIN, put("theirs" + n, table("x"))));
        }
        CommitOutcome outcome = impatient.commitAt(MAIN, CommitId.NO_ANCESTOR, put("ours", table("x")));
        assertThat(outcome).isEqualTo(new HeadKeptMoving(MAIN, catalog.head(MAIN), 3));
        assertThat(catalog.contents(MAIN)).hasSize(3);
    }

    @Test
    void whatStaysUndecidedIsSaidToBeSo() {
        for (int write = 1; write <= 1_000; write++) {
            store.at(write, Fault.UNKNOWN_NOT_WRITTEN);
        }
        CommitOutcome outcome = catalog.commitAt(MAIN, CommitId.NO_ANCESTOR, put("ours", table("x")));
        assertThat(outcome).isInstanceOf(OutcomeUndecided.class);
        assertThat(((OutcomeUndecided) outcome).message()).contains("not known", MAIN);
        assertThat(store.writes()).as("tried for five seconds, ever less often").isBetween(20, 40);
    }

    @Test
    void aBranchThatIsDeletedOrCreatedAnewLeavesItUndecided() {
        for (boolean anew : List.of(true, false)) {
            int writes = store.writes();
            store.at(writes + 1, Fault.UNKNOWN_NOT_WRITTEN).foreignFirst(writes + 2, () -> {
                ReferenceRow row = catalog.row(MAIN);
                memory.write(List.of(), List.of(), new Change.OfReference(MAIN, row, null), List.of());
                if (anew) {
                    other.branchAt(MAIN, CommitId.NO_ANCESTOR);
                }
            });
            CommitOutcome outcome = catalog.commitAt(MAIN, CommitId.NO_ANCESTOR, put("ours", table("x")));
            assertThat(outcome).isInstanceOf(OutcomeUndecided.class);
        }
        assertThat(memory.reference(MAIN)).isEmpty();
    }

    @Test
    void aBranchThatForgotWhereItWasLeavesItUndecided() {
        Head before =
                catalog.commit(catalog.commit(MAIN, put("before", table("x")))).head();
        int writes = store.writes();
        store.at(writes + 1, Fault.UNKNOWN_WRITTEN_LATE).foreignFirst(writes + 2, () -> {
            HeadPublisher assigner = new HeadPublisher(memory, RecentHeadsLimit.DEFAULT);
            for (int move = 0; move <= RecentHeadsLimit.DEFAULT.count(); move++) {
                assigner.publish(List.of(), List.of(before.number()), catalog.row(MAIN), before, 1, List.of());
            }
        });
        CommitOutcome outcome = catalog.commitAt(MAIN, before.id(), put("ours", table("x")));
        assertThat(outcome).isInstanceOf(OutcomeUndecided.class);
        assertThat(catalog.contents(MAIN)).doesNotContainKey(TestCatalog.key("ours"));
    }

    @Test
    void anUnavailableStoreIsNotTriedAgain() {
        store.at(1, Fault.BEFORE);
        assertThatThrownBy(() -> catalog.commitAt(MAIN, CommitId.NO_ANCESTOR, put("ours", table("x"))))
                .isInstanceOf(StoreUnavailableException.class);
        assertThat(catalog.head(MAIN)).isEqualTo(CommitId.NO_ANCESTOR);
        assertThat(store.writes()).isEqualTo(1);
    }

    @Test
    void tooManyWaitingAreRefused() {
        TestCatalog small = catalog(limits(10, 10, 1 << 20, 2));
        List<Throwable> refusals = new ArrayList<>();
        List<Running<CommitOutcome>> queued = new ArrayList<>();
        store.foreignFirst(1, () -> {
            for (int i = 0; i < 2; i++) {
                String key = "k" + i;
                queued.add(Running.of(() -> small.commitAt(MAIN, CommitId.NO_ANCESTOR, put(key, table("x")))));
                queued.get(i).awaitQueued();
            }
            try {
                small.commitAt(MAIN, CommitId.NO_ANCESTOR, put("one too many", table("x")));
            } catch (RefusedException refusal) {
                refusals.add(refusal);
            }
        });
        small.commit(MAIN, put("leader", table("x")));
        assertThat(queued).allSatisfy(one -> assertThat(one.result()).isInstanceOf(Committed.class));
        assertThat(refusals)
                .singleElement()
                .isInstanceOfSatisfying(
                        RefusedException.class,
                        refusal -> assertThat(refusal.code()).isEqualTo(ErrorCode.TOO_MANY_REQUESTS));
    }

    @Test
    void whoWaitsTooLongIsToldSoWhileTheBranchIsStillHeld() {
        WriteLimits hasty = new WriteLimits(10, Duration.ofMillis(20), Duration.ofSeconds(30), 10, 1 << 20, 10);
        TestCatalog impatient = catalog(hasty);
        List<Throwable> refusals = new ArrayList<>();
        store.foreignFirst(
                1,
                () -> refusals.add(catchThrowable(Running.of(
                        () -> impatient.commitAt(MAIN, CommitId.NO_ANCESTOR, put("late", table("x"))))::result)));
        impatient.commit(MAIN, put("leader", table("x")));
        assertThat(refusals)
                .singleElement()
                .extracting(Throwable::getCause)
                .isInstanceOfSatisfying(RefusedException.class, refusal -> {
                    assertThat(refusal.code()).isEqualTo(ErrorCode.SERVICE_UNAVAILABLE);
                    assertThat(refusal).hasMessageContaining("20 ms and was not begun");
                });
        assertThat(catalog.contents(MAIN)).containsOnlyKeys(TestCatalog.key("leader"));
    }

    /** Two commits fit in the time, three do not; whoever waits behind them is served. */
    @Test
    void aJudgementThatTakesTooLongIsBrokenOff() {
        CommitMeta meta = new CommitMeta("m", "", List.of(""), Instant.EPOCH, List.of(), Map.of());
        List<Integer> staged = new ArrayList<>();
        BranchChange<CommitOutcome> endless = (head, stage) -> {
            Commit at = head;
            while (true) {
                at = stage.commit(List.of(at), new IndexEdit(new TreeMap<>()), meta, Instant.EPOCH);
                staged.add(stage.count());
                catalog.pause(Duration.ofSeconds(20));
            }
        };
        assertThatThrownBy(() -> catalog.writer().write(catalog.row(MAIN), endless, null))
                .isInstanceOfSatisfying(
                        RefusedException.class,
                        refusal -> assertThat(refusal.code()).isEqualTo(ErrorCode.BAD_REQUEST))
                .hasMessageContaining("anabranch.limits.judgement-time");
        assertThat(staged).containsExactly(1, 2);
        assertThat(catalog.head(MAIN)).isEqualTo(CommitId.NO_ANCESTOR);
        assertThatThrownBy(() -> catalog.writer().rehearse(Commit.NO_ANCESTOR, endless))
                .hasMessageContaining("anabranch.limits.judgement-time");
        assertThat(catalog.commitAt(MAIN, CommitId.NO_ANCESTOR, put("next", table("x"))))
                .isInstanceOf(Committed.class);
    }

    private BranchChange<CommitOutcome> slow(int commits, Duration each) {
        CommitMeta meta = new CommitMeta("slow", "", List.of(""), Instant.EPOCH, List.of(), Map.of());
        return (head, stage) -> {
            Commit at = head;
            for (int n = 0; n < commits; n++) {
                catalog.pause(each);
                at = stage.commit(List.of(at), new IndexEdit(new TreeMap<>()), meta, Instant.EPOCH);
            }
            Committed committed = new Committed(MAIN, at.id(), new TreeMap<>());
            return new Judgement.Applied<>(at, List.of(), committed);
        };
    }

    /** Its race takes longer than it may be tried, and is lost. In its turn it is heard of all the while. */
    @Test
    void whatTakesLongToJudgeIsNotGivenUpBeforeItHadATurn() {
        store.foreignFirst(1, () -> other.commit(MAIN, put("theirs", table("x"))));
        assertThat(catalog.writer().write(catalog.row(MAIN), slow(20, Duration.ofMillis(600)), null))
                .isInstanceOf(WriteResult.Answered.class);
        assertThat(catalog.log(MAIN)).hasSize(21);
        assertThat(store.turns()).isEqualTo(1);
        assertThat(store.turnsKept()).isEqualTo(20);
    }

    /** As a merge of very many keys: before it stages its one commit, nothing but its reads tells that it is at work. */
    private BranchChange<CommitOutcome> oneCommit(int reads, Duration each) {
        return (head, stage) -> {
            for (int n = 0; n < reads; n++) {
                catalog.pause(each);
                stage.objects().commits(List.of(head.number()));
            }
            return slow(1, Duration.ZERO).judge(head, stage);
        };
    }

    @Test
    void oneCommitIsHeardOfWhileItIsJudged() {
        store.foreignFirst(1, () -> other.commit(MAIN, put("theirs", table("x"))));
        assertThat(catalog.writer().write(catalog.row(MAIN), oneCommit(20, Duration.ofMillis(600)), null))
                .isInstanceOf(WriteResult.Answered.class);
        assertThat(store.turns()).isEqualTo(1);
        assertThat(store.turnsKept()).isEqualTo(20);
    }

    @Test
    void noTurnIsKeptForLongerThanOneMayBeJudged() {
        store.foreignFirst(1, () -> other.commit(MAIN, put("theirs", table("x"))));
        AtomicInteger tries = new AtomicInteger();
        BranchChange<CommitOutcome> second = (head, stage) -> {
            boolean isRace = tries.getAndIncrement() == 0;
            return oneCommit(isRace ? 1 : 60, Duration.ofMillis(600)).judge(head, stage);
        };
        assertThatThrownBy(() -> catalog.writer().write(catalog.row(MAIN), second, null))
                .hasMessageContaining("anabranch.limits.judgement-time");
        assertThat(store.turnsKept()).isEqualTo(50);
    }

    @Test
    void whatWasJudgedForLongIsWrittenBeforeTheNext() throws Exception {
        List<Running<WriteResult<CommitOutcome>>> queued = whileWriting(
                catalog,
                List.of(
                        () -> catalog.writer().write(catalog.row(MAIN), slow(1, Duration.ofMillis(300)), null),
                        () -> catalog.writer().write(catalog.row(MAIN), slow(1, Duration.ofMillis(300)), null),
                        () -> catalog.writer().write(catalog.row(MAIN), slow(1, Duration.ofMillis(300)), null)));
        for (Running<WriteResult<CommitOutcome>> running : queued) {
            assertThat(running.result()).isInstanceOf(WriteResult.Answered.class);
        }
        assertThat(store.writes()).as("the leader, two, one").isEqualTo(3);
    }

    @Test
    void closingFinishesWhatWasAcceptedAndRefusesTheRest() throws Exception {
        List<Running<Boolean>> closing = new ArrayList<>();
        List<Running<CommitOutcome>> queued = new ArrayList<>();
        store.foreignFirst(1, () -> {
            queued.add(Running.of(() -> catalog.commitAt(MAIN, CommitId.NO_ANCESTOR, put("waiting", table("x")))));
            queued.get(0).awaitQueued();
            Running<Boolean> close = Running.of(() -> {
                catalog.close();
                return true;
            });
            closing.add(close);
            while (!String.valueOf(LockSupport.getBlocker(close.thread())).contains("Condition")) {
                assertThat(Thread.currentThread().isInterrupted()).isFalse();
                Thread.onSpinWait();
            }
        });
        catalog.commit(MAIN, put("leader", table("x")));
        assertThat(queued.get(0).result()).isInstanceOf(Committed.class);
        assertThat(closing.get(0).result()).isTrue();
        assertThatThrownBy(() -> catalog.commitAt(MAIN, CommitId.NO_ANCESTOR, put("late", table("x"))))
                .isInstanceOfSatisfying(
                        RefusedException.class,
                        refusal -> assertThat(refusal.code()).isEqualTo(ErrorCode.SERVICE_UNAVAILABLE));
    }

    /** Threads of two processes, each committing numbered changes: every number is there once and in order. */
    @Test
    void everyThreadFindsItsCommitsInOrderWithoutGaps() throws Exception {
        int threads = 16;
        int each = 25;
        List<Running<Integer>> running = new ArrayList<>();
        for (int thread = 0; thread < threads; thread++) {
            TestCatalog mine = thread % 4 == 0 ? other : catalog;
            String name = "t" + thread;
            running.add(Running.of(() -> {
                int committed = 0;
                CommitId seen = CommitId.NO_ANCESTOR;
                for (int i = 0; i < each; i++) {
                    CommitOutcome outcome = mine.commit(MAIN, seen, name + " " + i, put(name + "-" + i, table("x")));
                    seen = ((Committed) outcome).head();
                    committed++;
                }
                return committed;
            }));
        }
        for (Running<Integer> one : running) {
            assertThat(one.result()).isEqualTo(each);
        }
        List<String> messages = messages(catalog);
        assertThat(messages).hasSize(threads * each);
        for (int thread = 0; thread < threads; thread++) {
            String name = "t" + thread + " ";
            assertThat(messages.stream().filter(message -> message.startsWith(name)))
                    .isEqualTo(IntStream.range(0, each).mapToObj(i -> name + i).toList());
        }
        assertThat(catalog.contents(MAIN)).hasSize(threads * each);
    }
}
