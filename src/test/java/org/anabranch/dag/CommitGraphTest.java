package org.anabranch.dag;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.stream.IntStream;
import org.anabranch.object.Commit;
import org.anabranch.testing.CommitDag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;

/** The cases worth a drawing, and what each question costs in commit reads. */
class CommitGraphTest {

    private final CommitDag dag = new CommitDag();
    private final CommitGraph graph = dag.graph();
    private final TestReporter reporter;

    CommitGraphTest(TestReporter reporter) {
        this.reporter = reporter;
    }

    /**
     * <pre>
     *   a---b---d---f
     *    \   \ /
     *     \   X
     *      \ / \
     *       c---e---g
     * </pre>
     */
    @Test
    void aCrissCrossHasTwoMergeBases() {
        Commit a = dag.commit();
        Commit b = dag.commit(a);
        Commit c = dag.commit(a);
        Commit d = dag.commit(b, c);
        Commit e = dag.commit(c, b);
        Commit f = dag.commit(d);
        Commit g = dag.commit(e);

        assertThat(graph.mergeBases(f, g)).containsExactly(b, c);
        assertThat(graph.forkPoint(f, g)).isEqualTo(a);
    }

    /**
     * <pre>
     *   a---b-------d---e
     *    \         /
     *     c---c'--'--f
     * </pre>
     */
    @Test
    void afterAMergeTheBaseIsWhatWasMerged() {
        Commit a = dag.commit();
        Commit b = dag.commit(a);
        Commit c = dag.commit(dag.commit(a));
        Commit d = dag.commit(b, c);
        Commit e = dag.commit(d);
        Commit f = dag.commit(c);

        assertThat(graph.mergeBases(e, f)).containsExactly(c);
        assertThat(graph.mergeBases(e, c)).containsExactly(c);
        assertThat(graph.reaches(e, c)).isTrue();
        assertThat(graph.isOnLine(c, e)).isFalse();
    }

    /** The base is a plain commit between merges that neither side knows of: no head and no parent of a merge. */
    @Test
    void linesJoinInTheMiddleOfPlainCommits() {
        Commit fork = dag.line(dag.commit(), 20);
        dag.line(fork, 20);
        Commit one = dag.commit(dag.commit(), dag.line(fork, 7));
        Commit other = dag.commit(dag.commit(), dag.line(fork, 9));

        assertThat(graph.mergeBases(one, other)).containsExactly(fork);
    }

    @Test
    void aCommitStoredTwiceIsOnTheLinesOfBoth() {
        Commit a = dag.commit();
        Commit head = dag.commit(a);
        Commit twin = dag.twin(a);

        assertThat(graph.isOnLine(twin, head)).isTrue();
        assertThat(graph.reaches(head, twin)).isTrue();
        assertThat(graph.mergeBases(twin, head)).extracting(Commit::id).containsExactly(a.id());
    }

    @Test
    void historiesWithoutACommonCommitHaveNoBase() {
        assertThat(graph.mergeBases(dag.line(dag.commit(), 3), dag.line(dag.commit(), 5)))
                .isEmpty();
    }

    @Test
    void aLineOf100000CommitsIsNeverWalked() {
        Commit fork = dag.line(dag.commit(), 50_000);
        Commit head = dag.line(fork, 50_000);
        Commit side = dag.line(fork, 40_000);
        Commit old = graph.ancestor(head, 12_345);

        assertThat(reads("ancestor", () -> graph.ancestor(head, 12_345))).isLessThan(40);
        assertThat(reads("isOnLine", () -> graph.isOnLine(old, head))).isLessThan(40);
        assertThat(reads("not isOnLine", () -> graph.isOnLine(side, head))).isLessThan(40);
        assertThat(reads("asOf", () -> graph.asOf(head, old.createdAtMicros()))).isLessThan(60);
        assertThat(reads("forkPoint", () -> graph.forkPoint(head, side))).isLessThan(120);
        assertThat(reads("mergeBases", () -> graph.mergeBases(head, side))).isLessThan(120);
        assertThat(reads("reaches", () -> graph.reaches(head, old))).isLessThan(40);
        assertThat(reads("position", () -> graph.position(List.of(head)))).isLessThan(3);
    }

    @Test
    void theForksOfManyBranchesAreFoundTogether() {
        Commit main = dag.line(dag.commit(), 3_000);
        List<Commit> branches = IntStream.range(0, 200)
                .mapToObj(i -> dag.line(graph.ancestor(main, 15L * i), i % 7))
                .toList();
        List<Commit> alone =
                branches.stream().map(branch -> graph.forkPoint(branch, main)).toList();

        dag.resetCounts();
        assertThat(graph.forkPoints(branches, main)).isEqualTo(alone);
        assertThat(dag.trips()).as("bulk reads for 200 branches").isLessThan(60);
    }

    /** Each round: two commits on both, main merged into the branch, two commits on both, the branch merged into main. */
    @Test
    void aBranchMergedAHundredTimesEachWayStaysCheap() {
        Commit main = dag.line(dag.commit(), 1_000);
        Commit branch = dag.line(main, 5);
        long early = 0;
        for (int round = 1; round <= 100; round++) {
            main = dag.line(main, 2);
            branch = dag.commit(dag.line(branch, 2), main);
            branch = dag.line(branch, 2);
            main = dag.commit(dag.line(main, 2), branch);
            if (round == 3) {
                early = mergeBaseReads("after 3 rounds", dag.line(main, 3), dag.line(branch, 3));
            }
        }
        long late = mergeBaseReads("after 100 rounds", dag.line(main, 3), dag.line(branch, 3));

        assertThat(graph.mergeBases(dag.line(main, 3), dag.line(branch, 3))).containsExactly(branch);
        assertThat(late).isLessThanOrEqualTo(early + 20);
    }

    /** Main merges features that live for three commits; the branch forked before all of them. */
    @Test
    void tenThousandMergesOnMainSinceTheForkAreSteppedOver() {
        Commit fork = dag.line(dag.commit(), 1_000);
        Commit branch = dag.line(fork, 3);
        Commit main = fork;
        long early = 0;
        for (int merge = 1; merge <= 10_000; merge++) {
            main = dag.commit(dag.commit(main), dag.line(main, 3));
            if (merge == 100) {
                early = mergeBaseReads("after 100 merges", main, branch);
            }
        }
        long late = mergeBaseReads("after 10 000 merges", main, branch);
        Commit head = main;

        assertThat(graph.mergeBases(main, branch)).containsExactly(fork);
        assertThat(late).isLessThanOrEqualTo(early + 40);
        assertThat(reads("reaches an unmerged commit", () -> graph.reaches(head, branch)))
                .isLessThan(late + 40);
        assertThat(reads("position of the next merge", () -> graph.position(List.of(head, branch))))
                .isLessThan(late + 40);
    }

    /** Main merges ten branches in turn that never take anything back from it. */
    @Test
    void mergesOfLongLivedBranches() {
        Commit fork = dag.line(dag.commit(), 1_000);
        Commit branch = dag.line(fork, 3);
        Commit[] teams = new Commit[10];
        Arrays.fill(teams, fork);
        Commit main = fork;
        for (int merge = 0; merge < 300; merge++) {
            int team = merge % teams.length;
            teams[team] = dag.line(teams[team], 2);
            main = dag.commit(main, teams[team]);
        }

        assertThat(graph.mergeBases(main, branch)).containsExactly(fork);
        assertThat(mergeBaseReads("of long-lived branches", main, branch)).isLessThan(400);
        assertThat(mergeBaseReads("with one of them", main, teams[5])).isLessThan(300 * 30);
    }

    @Test
    void aLineIsReadInFewTrips() {
        Commit head = dag.line(dag.commit(), 1_999);
        dag.resetCounts();
        Iterator<Commit> line = graph.line(head);
        line.next();
        assertThat(dag.reads()).isZero();

        for (int i = 0; i < 9; i++) {
            line.next();
        }
        assertThat(dag.reads()).isLessThanOrEqualTo(16);

        line.forEachRemaining(commit -> {});
        reporter.publishEntry("line of 2000 commits", dag.trips() + " trips");
        assertThat(dag.reads()).isEqualTo(1_999);
        assertThat(dag.trips()).isLessThan(200);
    }

    private long mergeBaseReads(String what, Commit one, Commit other) {
        return reads("mergeBases " + what, () -> graph.mergeBases(one, other));
    }

    private long reads(String what, Runnable question) {
        dag.resetCounts();
        question.run();
        reporter.publishEntry(what, dag.reads() + " reads, " + dag.trips() + " trips");
        return dag.reads();
    }
}
