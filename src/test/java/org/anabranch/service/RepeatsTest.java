package org.anabranch.service;

import static org.anabranch.testing.TestCatalog.MAIN;
import static org.anabranch.testing.TestCatalog.at;
import static org.anabranch.testing.TestCatalog.delete;
import static org.anabranch.testing.TestCatalog.put;
import static org.anabranch.testing.TestCatalog.table;
import static org.anabranch.testing.TestCatalog.unchanged;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.anabranch.model.CommitId;
import org.anabranch.model.CommitOutcome;
import org.anabranch.model.CommitOutcome.Committed;
import org.anabranch.model.CommitOutcome.Conflicted;
import org.anabranch.model.CommitRequest;
import org.anabranch.model.ErrorCode;
import org.anabranch.model.GivenMeta;
import org.anabranch.model.HashSpec;
import org.anabranch.model.Idempotency;
import org.anabranch.model.MergeMode;
import org.anabranch.model.MergeOutcome;
import org.anabranch.model.MergeOutcome.Merged;
import org.anabranch.model.MergeRequest;
import org.anabranch.model.Operation;
import org.anabranch.model.OutcomeUndecided;
import org.anabranch.model.RefusedException;
import org.anabranch.model.TransplantRequest;
import org.anabranch.store.Change;
import org.anabranch.store.Head;
import org.anabranch.store.ReferenceRow;
import org.anabranch.store.Store;
import org.anabranch.store.StoreUnavailableException;
import org.anabranch.store.embedded.EmbeddedStore;
import org.anabranch.store.memory.MemoryStore;
import org.anabranch.testing.CountingStore;
import org.anabranch.testing.FaultyStore;
import org.anabranch.testing.FaultyStore.Fault;
import org.anabranch.testing.TestCatalog;
import org.anabranch.versioning.commit.WriteLimits;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A commit, merge or transplant that is sent again with its idempotency key is applied once and answered alike. */
@Timeout(60)
class RepeatsTest {

    private final MemoryStore memory = new MemoryStore();
    private final FaultyStore store = new FaultyStore(memory);
    private final TestCatalog catalog = new TestCatalog(store, memory, WriteLimits.DEFAULT, 0);

    /** A second process on the same store. */
    private final TestCatalog other = new TestCatalog(memory, memory, WriteLimits.DEFAULT, 1_000_000);

    private static Idempotency key(String key, String request) {
        return new Idempotency(key, request.getBytes(StandardCharsets.UTF_8));
    }

    private static Idempotency key(String key) {
        return key(key, "the request");
    }

    private static CommitRequest request(String branch, CommitId expected, Operation... operations) {
        return new CommitRequest(at(branch, expected), GivenMeta.ofMessage("keyed"), List.of(operations));
    }

    private static CommitRequest putFrom(CommitId expected) {
        return request(MAIN, expected, put("t", table("t0")));
    }

    /** A request that no state of the branch is in conflict with. */
    private static CommitRequest alwaysFits() {
        return request(MAIN, CommitId.NO_ANCESTOR, unchanged("never"));
    }

    private long keyed(String branch) {
        return catalog.log(branch).stream()
                .filter(commit -> commit.requireMeta().message().equals("keyed"))
                .count();
    }

    private void reset(CommitId to) {
        ReferenceRow row = catalog.row(MAIN);
        Head head = to.equals(CommitId.NO_ANCESTOR)
                ? Head.NO_ANCESTOR
                : catalog.commit(to).head();
        memory.write(
                List.of(),
                List.of(head.number()),
                new Change.OfReference(MAIN, row, row.movedTo(head, List.of())),
                List.of());
    }

    @Test
    void whatIsUndecidedStaysSoIfItsReceiptCannotBeLookedFor() {
        store.at(1, Fault.UNKNOWN_WRITTEN).failingReadsAfterFaults(1_000);

        assertThat(catalog.commit(putFrom(CommitId.NO_ANCESTOR), key("k"))).isInstanceOf(OutcomeUndecided.class);
        store.heal();
        assertThat(catalog.commit(putFrom(CommitId.NO_ANCESTOR), key("k"))).isInstanceOf(Committed.class);
        assertThat(keyed(MAIN)).isEqualTo(1);
    }

    @Test
    void aRepeatIsAnsweredAlikeWhateverHappenedSince() {
        CommitOutcome first = catalog.commit(putFrom(CommitId.NO_ANCESTOR), key("k"));
        assertThat(first)
                .isInstanceOfSatisfying(
                        Committed.class,
                        committed -> assertThat(committed.newIds()).hasSize(1));

        assertThat(catalog.commit(putFrom(CommitId.NO_ANCESTOR), key("k"))).isEqualTo(first);
        catalog.commit(MAIN, delete("t"));
        assertThat(catalog.commit(putFrom(CommitId.NO_ANCESTOR), key("k"))).isEqualTo(first);
        assertThat(other.commit(putFrom(CommitId.NO_ANCESTOR), key("k"))).isEqualTo(first);
        assertThat(keyed(MAIN)).isEqualTo(1);
    }

    @ParameterizedTest(name = "two processes: {0}")
    @ValueSource(booleans = {false, true})
    void manyAtOnceAreAppliedOnce(boolean twoProcesses) throws Exception {
        for (CommitRequest request : List.of(putFrom(CommitId.NO_ANCESTOR), alwaysFits())) {
            long before = keyed(MAIN);
            Idempotency key = key(request.operations().toString());
            List<CommitOutcome> answers = new ArrayList<>();
            try (ExecutorService threads = Executors.newFixedThreadPool(8)) {
                List<Future<CommitOutcome>> running = new ArrayList<>();
                for (int i = 0; i < 64; i++) {
                    TestCatalog process = twoProcesses && i % 2 == 0 ? other : catalog;
                    running.add(threads.submit(() -> process.commit(request, key)));
                }
                for (Future<CommitOutcome> one : running) {
                    answers.add(one.get());
                }
            }
            assertThat(answers).allMatch(Committed.class::isInstance).containsOnly(answers.get(0));
            assertThat(keyed(MAIN) - before).isEqualTo(1);
        }
    }

    @Test
    void twoProcessesAtOnceGiveTheSameAnswer() {
        List<CommitOutcome> theirs = new ArrayList<>();
        store.foreignFirst(1, () -> theirs.add(other.commit(alwaysFits(), key("k"))));

        assertThat(catalog.commit(alwaysFits(), key("k"))).isEqualTo(theirs.get(0));
        assertThat(keyed(MAIN)).isEqualTo(1);
    }

    @Test
    void aKeyIsForOneRequest() {
        catalog.commit(alwaysFits(), key("the key", "one"));

        assertThatExceptionOfType(RefusedException.class)
                .isThrownBy(() -> catalog.commit(alwaysFits(), key("the key", "another")))
                .withMessageContainingAll("Idempotency-Key", "'the key'", "'main'")
                .satisfies(refusal -> assertThat(refusal.code()).isEqualTo(ErrorCode.BAD_REQUEST));
        assertThat(keyed(MAIN)).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "  ", "caf\u00e9", "a\tb", "a\nb"})
    void aKeyIsPrintable(String key) {
        assertThatExceptionOfType(IllegalArgumentException.class).isThrownBy(() -> key(key));
    }

    @Test
    void otherBranchesAndOtherKeysAreOtherRequests() {
        catalog.commit(alwaysFits(), key("k"));
        catalog.branchAt("dev", CommitId.NO_ANCESTOR);

        catalog.commit(alwaysFits(), key("l"));
        catalog.commit(request("dev", CommitId.NO_ANCESTOR, unchanged("never")), key("k"));

        assertThat(keyed(MAIN)).isEqualTo(2);
        assertThat(keyed("dev")).isEqualTo(1);
    }

    @Test
    void onlyWhatWasAppliedIsKept() {
        catalog.commit(MAIN, put("t", table("in the way")));

        assertThat(catalog.commit(putFrom(CommitId.NO_ANCESTOR), key("k"))).isInstanceOf(Conflicted.class);
        catalog.commit(MAIN, delete("t"));
        assertThat(catalog.commit(putFrom(CommitId.NO_ANCESTOR), key("k"))).isInstanceOf(Committed.class);
    }

    @Test
    void whatExpiredIsForgottenAndAppliedAnew() {
        CommitOutcome first = catalog.commit(alwaysFits(), key("k"));
        catalog.commit(alwaysFits(), key("l"));

        catalog.tick(TestCatalog.RECEIPT_LIFETIME.minus(Duration.ofSeconds(1)));
        assertThat(catalog.commit(alwaysFits(), key("k"))).isEqualTo(first);
        catalog.tick(Duration.ofSeconds(2));
        assertThat(catalog.commit(alwaysFits(), key("k"))).isNotEqualTo(first);

        assertThat(keyed(MAIN)).isEqualTo(3);
        catalog.tick(Duration.ofMinutes(1));
        catalog.commit(alwaysFits(), key("any other"));
        assertThat(memory.receipts("main\nl\n")).isEmpty();
        assertThat(memory.receipts("main\nk\n")).hasSize(1);
    }

    /** Otherwise a job that is run again, with the same key, after its branch was rolled back would change nothing. */
    @Test
    void whatIsNoLongerOnTheBranchIsAppliedAnew() {
        CommitOutcome first = catalog.commit(alwaysFits(), key("k"));
        reset(CommitId.NO_ANCESTOR);
        catalog.tick(Duration.ofHours(12));

        CommitOutcome second = catalog.commit(alwaysFits(), key("k"));

        assertThat(second).isInstanceOf(Committed.class).isNotEqualTo(first);
        assertThat(other.commit(alwaysFits(), key("k"))).isEqualTo(second);
        catalog.tick(Duration.ofHours(23));
        assertThat(catalog.commit(alwaysFits(), key("k"))).isEqualTo(second);
        assertThat(keyed(MAIN)).isEqualTo(1);
    }

    @Test
    void aRepeatIsAnsweredAlsoWhenItsBranchIsGone() {
        CommitOutcome first = catalog.commit(alwaysFits(), key("k"));
        memory.write(List.of(), List.of(), new Change.OfReference(MAIN, catalog.row(MAIN), null), List.of());

        assertThat(catalog.commit(alwaysFits(), key("k"))).isEqualTo(first);
        catalog.branchAt(MAIN, CommitId.NO_ANCESTOR);
        assertThat(catalog.commit(alwaysFits(), key("k"))).isNotEqualTo(first);
    }

    @ParameterizedTest
    @EnumSource(Fault.class)
    void whateverGoesWrongItIsAppliedOnce(Fault fault) {
        for (int write = 1; write <= 2; write++) {
            for (boolean twice : List.of(false, true)) {
                MemoryStore theirs = new MemoryStore();
                FaultyStore faulty = new FaultyStore(theirs).at(write, fault);
                if (twice) {
                    faulty.at(write + 1, fault);
                }
                TestCatalog process = new TestCatalog(faulty, theirs, WriteLimits.DEFAULT, 0);
                TestCatalog restarted = new TestCatalog(theirs, theirs, WriteLimits.DEFAULT, 1_000_000);
                List<CommitOutcome> answers = new ArrayList<>();
                for (String name : List.of("k", "l")) {
                    CommitOutcome first = untilAnswered(process, name);
                    assertThat(restarted.commit(alwaysFits(), key(name))).isEqualTo(first);
                    answers.add(first);
                }
                assertThat(restarted.log(MAIN)).hasSize(2);
                assertThat(answers).doesNotHaveDuplicates();
            }
        }
    }

    private static CommitOutcome untilAnswered(TestCatalog process, String name) {
        while (true) {
            try {
                CommitOutcome outcome = process.commit(alwaysFits(), key(name));
                if (!(outcome instanceof OutcomeUndecided)) {
                    return outcome;
                }
            } catch (StoreUnavailableException unavailable) {
                // Sent again, as clients do.
            }
        }
    }

    @Test
    void whatStayedUndecidedIsDecidedByTheRepeat() {
        for (int write = 1; write <= 1_000; write++) {
            store.at(write, Fault.UNKNOWN_NOT_WRITTEN);
        }
        assertThat(catalog.commit(alwaysFits(), key("k"))).isInstanceOf(OutcomeUndecided.class);

        CommitOutcome outcome = other.commit(alwaysFits(), key("k"));

        assertThat(outcome).isInstanceOf(Committed.class);
        assertThat(catalog.commit(alwaysFits(), key("k"))).isEqualTo(outcome);
    }

    @Test
    void aRestartBetweenWriteAndAnswerIsNoMatter(@TempDir Path folder) {
        CommitOutcome lost;
        try (Store embedded = EmbeddedStore.open(folder)) {
            FaultyStore faulty = new FaultyStore(embedded).at(1, Fault.UNKNOWN_WRITTEN);
            try (TestCatalog process = new TestCatalog(faulty, embedded, WriteLimits.DEFAULT, 0)) {
                lost = process.commit(putFrom(CommitId.NO_ANCESTOR), key("k"));
            }
        }
        try (Store embedded = EmbeddedStore.open(folder);
                TestCatalog restarted = new TestCatalog(embedded)) {
            assertThat(restarted.commit(putFrom(CommitId.NO_ANCESTOR), key("k")))
                    .isEqualTo(lost);
            assertThat(restarted.log(MAIN)).hasSize(1);
        }
    }

    @Test
    void mergesAndTransplantsToo() {
        catalog.commit(MAIN, put("base", table("b")));
        catalog.branch("side", MAIN);
        CommitId picked = catalog.commit("side", put("a", table("a")), put("b", table("b")));
        catalog.branch("third", MAIN);
        CommitId seen = catalog.head(MAIN);
        MergeRequest merge = new MergeRequest(
                at(MAIN, seen), at("side", picked), GivenMeta.ofMessage("keyed"), MergeMode.NORMAL, List.of(), false);
        TransplantRequest transplant = new TransplantRequest(
                at("third", seen),
                null,
                List.of(new HashSpec(picked.toString(), List.of())),
                "keyed",
                MergeMode.NORMAL,
                List.of(),
                false);

        MergeOutcome merged = catalog.merge(merge, key("k"));
        MergeOutcome transplanted = catalog.transplant(transplant, key("k"));
        catalog.commit(MAIN, delete("a"));

        assertThat(merged)
                .isInstanceOfSatisfying(
                        Merged.class, one -> assertThat(one.report().keys()).hasSize(2));
        assertThat(transplanted).isInstanceOf(Merged.class);
        assertThat(other.merge(merge, key("k"))).isEqualTo(merged);
        assertThat(other.transplant(transplant, key("k"))).isEqualTo(transplanted);
        assertThat(keyed(MAIN)).isEqualTo(1);
        assertThat(keyed("third")).isEqualTo(1);
    }

    @Test
    void aKeyCostsOneStoreTripAndARepeatNoWrite() {
        CountingStore counting = new CountingStore(memory);
        TestCatalog process = new TestCatalog(counting, memory, WriteLimits.DEFAULT, 2_000_000);
        process.commit(alwaysFits(), key("the first one also forgets"));
        counting.resetCounts();
        process.commit(alwaysFits(), "");
        int withoutKey = counting.trips();

        counting.resetCounts();
        process.commit(alwaysFits(), key("k"));
        assertThat(counting.trips()).isEqualTo(withoutKey + 1);

        counting.resetCounts();
        process.commit(alwaysFits(), key("k"));
        assertThat(counting.trips()).isLessThanOrEqualTo(3);
        assertThat(counting.rowsWritten()).isZero();
    }

    /** Requests and repeats of earlier ones, in any order, through two processes, one of them with a faulty store. */
    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4})
    void anyOrderOfRequestsAndRepeats(long seed) {
        Random random = new Random(seed);
        Fault[] faults = Fault.values();
        for (int write = 1; write < 400; write++) {
            if (random.nextInt(3) == 0) {
                store.at(write, faults[random.nextInt(faults.length)]);
            }
        }
        Map<Integer, CommitOutcome> answers = new HashMap<>();
        for (int step = 0; step < 200; step++) {
            int n = random.nextInt(step / 2 + 1);
            CommitRequest request = new CommitRequest(
                    at(MAIN, CommitId.NO_ANCESTOR),
                    GivenMeta.ofMessage("request " + n),
                    List.of(put("k" + n, table("x"))));
            try {
                CommitOutcome outcome = (random.nextBoolean() ? catalog : other).commit(request, key("k" + n));
                assertThat(outcome).isInstanceOf(Committed.class);
                assertThat(answers.computeIfAbsent(n, first -> outcome)).isEqualTo(outcome);
            } catch (StoreUnavailableException unavailable) {
                assertThat(answers).as("found without a write").doesNotContainKey(n);
            }
        }
        assertThat(other.log(MAIN)).hasSize(answers.size());
        assertThat(other.contents(MAIN)).hasSize(answers.size());
    }
}
