package org.anabranch.history;

import static org.anabranch.history.HistoryChecker.NOTHING;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.anabranch.history.Answer.Done;
import org.anabranch.history.Answer.NotTried;
import org.anabranch.history.Answer.Reason;
import org.anabranch.history.Answer.Refused;
import org.anabranch.history.Answer.Unknown;
import org.anabranch.history.Request.Append;
import org.anabranch.history.Request.Read;
import org.anabranch.history.Violation.Kind;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HistoryCheckerTest {

    private static final Answer UNKNOWN = new Unknown();

    private final Histories main = Histories.ofMain();

    private static Answer done(String head) {
        return new Done(head);
    }

    private static Answer refused(Reason reason) {
        return new Refused(reason);
    }

    @Nested
    class Accepts {

        private void accepts(Histories history) {
            assertThat(history.check()).isEmpty();
        }

        @Test
        void commitsOneAfterTheOther() {
            accepts(main.line("a", "b")
                    .append(1, 2, "a", done("a"))
                    .read(3, 4, "main", done("a"))
                    .append(5, 6, "b", done("b"))
                    .ends("main", "b"));
        }

        @Test
        void concurrentCommitsInEitherOrder() {
            accepts(main.line("b", "a")
                    .append(1, 9, "a", done("a"))
                    .append(2, 8, "b", done("b"))
                    .ends("main", "a"));
        }

        @Test
        void aReadBesideACommitThatSeesItOrNot() {
            accepts(main.line("a")
                    .append(1, 9, "a", done("a"))
                    .read(2, 3, "main", done(NOTHING))
                    .read(4, 5, "main", done("a"))
                    .ends("main", "a"));
        }

        @Test
        void anUnknownOutcomeThatWasAppliedLate() {
            accepts(main.line("b", "a")
                    .append(1, 2, "a", UNKNOWN)
                    .read(3, 4, "main", done(NOTHING))
                    .append(5, 6, "b", done("b"))
                    .read(7, 8, "main", done("b"))
                    .ends("main", "a"));
        }

        @Test
        void anUnknownOutcomeThatWasNeverApplied() {
            accepts(main.line("b")
                    .append(1, 2, "a", UNKNOWN)
                    .append(3, 4, "b", done("b"))
                    .ends("main", "b"));
        }

        @Test
        void whatWasNotTried() {
            accepts(main.append(1, 2, "a", new NotTried()).ends("main", NOTHING));
        }

        @Test
        void aConflictWithACommitOfTheSameTime() {
            accepts(main.commit("a", NOTHING, "a", "k")
                    .append(1, 9, "a", NOTHING, "k", done("a"))
                    .append(2, 8, "b", NOTHING, "k", refused(Reason.CONFLICT))
                    .ends("main", "a"));
        }

        @Test
        void aCommitThatOthersOvertookOnOtherKeys() {
            accepts(main.line("a", "b", "c")
                    .append(1, 2, "a", NOTHING, "a", done("a"))
                    .append(3, 4, "b", "a", "b", done("b"))
                    .append(5, 6, "c", "a", "c", done("c"))
                    .ends("main", "c"));
        }

        @Test
        void aReferenceThatComesAndGoes() {
            accepts(main.line("a", "b")
                    .append(1, 2, "a", done("a"))
                    .append(3, 4, "b", done("b"))
                    .read(5, 6, "tag", refused(Reason.MISSING))
                    .create(7, 20, "tag", "a", done("a"))
                    .create(7, 21, "tag", "b", refused(Reason.EXISTS))
                    .assign(22, 23, "tag", "a", "b", done("b"))
                    .delete(24, 25, "tag", "a", refused(Reason.ELSEWHERE))
                    .delete(26, 27, "tag", "b", done("b"))
                    .assign(28, 29, "tag", "b", "a", refused(Reason.MISSING))
                    .create(30, 31, "tag", "b", UNKNOWN)
                    .ends("main", "b")
                    .ends("tag", "b"));
        }

        @Test
        void aReferenceThatIsCreatedAnewWhereItWasUnderAnAssignment() {
            accepts(main.create(1, 2, "tag", NOTHING, done(NOTHING))
                    .assign(3, 10, "tag", NOTHING, "x", refused(Reason.ELSEWHERE))
                    .delete(4, 5, "tag", NOTHING, done(NOTHING))
                    .create(6, 7, "tag", NOTHING, done(NOTHING))
                    .ends("tag", NOTHING));
        }

        @Test
        void aCommitThatAnAssignmentTookAway() {
            accepts(main.line("a")
                    .lineFrom(NOTHING, "b")
                    .append(1, 2, "a", done("a"))
                    .assign(3, 9, "main", "a", NOTHING, UNKNOWN)
                    .append(4, 8, "b", done("b"))
                    .ends("main", "b"));
        }

        @Test
        void aCommitToABranchThatWasSetElsewhere() {
            accepts(main.line("a")
                    .append(1, 2, "a", done("a"))
                    .assign(3, 4, "main", "a", NOTHING, done(NOTHING))
                    .append(5, 6, "b", "a", "b", refused(Reason.MISSING))
                    .ends("main", NOTHING));
        }

        @Test
        void givingUpWhileOthersMoveTheBranch() {
            accepts(main.line("a")
                    .append(1, 9, "b", refused(Reason.KEPT_MOVING))
                    .append(2, 8, "a", done("a"))
                    .ends("main", "a"));
        }
    }

    @Nested
    class Rejects {

        private void rejects(Histories history, Kind... kinds) {
            assertThat(history.check()).extracting(Violation::kind).contains(kinds);
        }

        @Test
        void aLostCommit() {
            rejects(
                    main.line("a")
                            .lineFrom("a", "b")
                            .append(1, 2, "a", done("a"))
                            .append(3, 4, "b", done("b"))
                            .ends("main", "a"),
                    Kind.LOST,
                    Kind.STALE_READ);
        }

        @Test
        void aLostCommitOfABranchThatWasAlsoAssigned() {
            rejects(
                    main.line("a", "b")
                            .append(1, 2, "a", done("a"))
                            .assign(3, 4, "main", "a", NOTHING, done(NOTHING))
                            .assign(5, 6, "main", NOTHING, "a", done("a"))
                            .append(7, 8, "b", done("b"))
                            .ends("main", "a"),
                    Kind.STALE_READ);
        }

        @Test
        void aDoubledCommit() {
            rejects(
                    main.line("a")
                            .commit("a2", "a", "a", "a")
                            .append(1, 2, "a", UNKNOWN)
                            .ends("main", "a2"),
                    Kind.DOUBLED);
        }

        @Test
        void aRefusedCommitThatIsThere() {
            rejects(
                    main.line("a")
                            .append(1, 2, "a", NOTHING, "a", refused(Reason.CONFLICT))
                            .ends("main", "a"),
                    Kind.REFUSED_BUT_APPLIED);
        }

        @Test
        void aCommitThatIsThereAlthoughItWasNotTried() {
            rejects(main.line("a").append(1, 2, "a", new NotTried()).ends("main", "a"), Kind.REFUSED_BUT_APPLIED);
        }

        @Test
        void anAnswerThatNamesTheCommitOfAnother() {
            rejects(
                    main.line("a", "b")
                            .append(1, 9, "a", done("b"))
                            .append(2, 8, "b", done("b"))
                            .ends("main", "b"),
                    Kind.NOT_ITS_COMMIT);
        }

        @Test
        void anAnswerThatNamesNoCommit() {
            rejects(main.append(1, 2, "a", done("a")).ends("main", NOTHING), Kind.NOT_ITS_COMMIT);
        }

        @Test
        void anOrderAgainstRealTime() {
            rejects(
                    main.line("b", "a")
                            .append(1, 2, "a", done("a"))
                            .append(3, 4, "b", done("b"))
                            .ends("main", "a"),
                    Kind.OUT_OF_ORDER);
        }

        @Test
        void aStaleRead() {
            rejects(
                    main.line("a")
                            .append(1, 2, "a", done("a"))
                            .read(3, 4, "main", done(NOTHING))
                            .ends("main", "a"),
                    Kind.STALE_READ);
        }

        @Test
        void readsThatGoBack() {
            rejects(
                    main.line("a")
                            .append(1, 9, "a", done("a"))
                            .read(2, 3, "main", done("a"))
                            .read(4, 5, "main", done(NOTHING))
                            .ends("main", "a"),
                    Kind.STALE_READ);
        }

        @Test
        void aReadThatMissesAReference() {
            rejects(main.read(1, 2, "main", refused(Reason.MISSING)).ends("main", NOTHING), Kind.STALE_READ);
        }

        @Test
        void aConflictWithoutCause() {
            rejects(
                    main.line("a")
                            .append(1, 2, "a", done("a"))
                            .append(3, 4, "b", NOTHING, "b", refused(Reason.CONFLICT))
                            .ends("main", "a"),
                    Kind.REFUSED_WITHOUT_CAUSE);
        }

        @Test
        void givingUpAlthoughNobodyMovesTheBranch() {
            rejects(
                    main.line("a")
                            .append(1, 2, "a", done("a"))
                            .append(3, 4, "b", refused(Reason.KEPT_MOVING))
                            .ends("main", "a"),
                    Kind.REFUSED_WITHOUT_CAUSE);
        }

        @Test
        void aCommitOverAChangeThatItsAuthorHadNotSeen() {
            rejects(
                    main.commit("a", NOTHING, "a", "k")
                            .commit("b", "a", "b", "k")
                            .append(1, 2, "a", NOTHING, "k", done("a"))
                            .append(3, 4, "b", NOTHING, "k", done("b"))
                            .ends("main", "b"),
                    Kind.OVERWRITTEN);
        }

        @Test
        void twoAssignmentsFromTheSameState() {
            rejects(
                    main.line("a", "b")
                            .append(1, 2, "a", done("a"))
                            .append(3, 4, "b", done("b"))
                            .create(5, 6, "tag", NOTHING, done(NOTHING))
                            .assign(7, 20, "tag", NOTHING, "a", done("a"))
                            .assign(8, 19, "tag", NOTHING, "b", done("b"))
                            .ends("main", "b")
                            .ends("tag", "a"),
                    Kind.OUT_OF_ORDER);
        }

        @Test
        void twoCreatesOfOneReference() {
            rejects(
                    main.create(1, 9, "tag", NOTHING, done(NOTHING))
                            .create(2, 8, "tag", NOTHING, done(NOTHING))
                            .ends("tag", NOTHING),
                    Kind.OUT_OF_ORDER);
        }

        @Test
        void aDeletedReferenceThatComesBack() {
            rejects(
                    main.create(1, 2, "tag", NOTHING, done(NOTHING))
                            .delete(3, 4, "tag", NOTHING, done(NOTHING))
                            .ends("tag", NOTHING),
                    Kind.STALE_READ);
        }

        @Test
        void aReferenceThatIsGoneForNoReason() {
            rejects(main.create(1, 2, "tag", NOTHING, done(NOTHING)).endsMissing("tag"), Kind.STALE_READ);
        }

        @Test
        void aCreateRefusedWhereNothingIs() {
            rejects(
                    main.create(1, 2, "tag", NOTHING, refused(Reason.EXISTS)).endsMissing("tag"),
                    Kind.REFUSED_WITHOUT_CAUSE);
        }

        @Test
        void anAssignmentRefusedThoughItWasRight() {
            rejects(
                    main.create(1, 2, "tag", NOTHING, done(NOTHING))
                            .assign(3, 4, "tag", NOTHING, "x", refused(Reason.ELSEWHERE))
                            .ends("tag", NOTHING),
                    Kind.REFUSED_WITHOUT_CAUSE);
        }
    }

    /** A real register under many clients, in random steps: what it does is accepted, and one changed answer is not. */
    @Nested
    class LargeHistories {

        private static final int CLIENTS = 24;
        private static final int CALLS = 4_000;

        @ParameterizedTest(name = "seed {0}")
        @ValueSource(longs = {1, 2, 3})
        void whatARegisterDoesIsAcceptedAndAChangedAnswerIsNot(long seed) {
            Random random = new Random(seed);
            List<Call> calls = new ArrayList<>();
            List<Recorded> commits = new ArrayList<>();
            String head = NOTHING;
            List<long[]> open = new ArrayList<>();
            long time = 0;
            for (int n = 0; n < CALLS; n++) {
                open.add(new long[] {time++, n});
                if (open.size() < CLIENTS) {
                    continue;
                }
                Collections.shuffle(open, random);
                for (int i = 0; i < 1 + random.nextInt(CLIENTS - 1); i++) {
                    long[] one = open.removeLast();
                    String token = "c" + one[1];
                    Append append = new Append("main", token, null, Set.of(token));
                    int kind = random.nextInt(20);
                    if (kind == 0) {
                        calls.add(new Call(append, one[0], time++, UNKNOWN));
                    } else if (kind < 4) {
                        calls.add(new Call(new Read("main"), one[0], time++, done(head)));
                    } else {
                        commits.add(new Recorded(token, head, token, Set.of(token)));
                        head = token;
                        calls.add(new Call(append, one[0], time++, kind == 4 ? UNKNOWN : done(token)));
                    }
                }
            }
            calls.add(new Call(new Read("main"), time, time + 1, done(head)));
            assertThat(HistoryChecker.check(Map.of("main", NOTHING), calls, commits))
                    .isEmpty();

            int early = calls.size() / 2;
            Call later = calls.stream()
                    .skip(early)
                    .filter(call -> call.request() instanceof Read
                            && call.start() > calls.get(early).end())
                    .findFirst()
                    .orElseThrow();
            calls.set(calls.indexOf(later), new Call(later.request(), later.start(), later.end(), done(NOTHING)));
            assertThat(HistoryChecker.check(Map.of("main", NOTHING), calls, commits))
                    .extracting(Violation::kind)
                    .containsExactly(Kind.STALE_READ);
        }
    }
}
