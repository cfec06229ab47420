package org.anabranch.dag;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.anabranch.object.Commit;
import org.anabranch.store.Head;
import org.anabranch.testing.CommitDag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The graph agrees with brute force: on every small graph, and on large ones from seeds. */
class CommitGraphLawsTest {

    @Test
    void allGraphsOfUpToSixCommits() {
        int graphs = addCommitsInEveryWay(new ArrayList<>(), 6);

        // A commit on top of i others: a first one, or a first parent with no or another second parent: 1 + i + i * (i
        // - 1).
        assertThat(graphs).isEqualTo(1 + 2 + 10 + 100 + 1_700 + 44_200);
    }

    private static int addCommitsInEveryWay(List<int[]> parents, int more) {
        if (more == 0) {
            return 0;
        }
        int graphs = 0;
        int next = parents.size();
        for (int first = -1; first < next; first++) {
            for (int second = -1; second < next; second++) {
                boolean sensible = second == -1 || first != -1 && second != first;
                if (sensible) {
                    parents.add(new int[] {first, second});
                    checkNewest(build(parents));
                    graphs += 1 + addCommitsInEveryWay(parents, more - 1);
                    parents.remove(next);
                }
            }
        }
        return graphs;
    }

    private static CommitDag build(List<int[]> parents) {
        CommitDag dag = new CommitDag();
        for (int[] each : parents) {
            dag.commit(IntStream.of(each)
                    .filter(index -> index >= 0)
                    .mapToObj(index -> dag.all().get(index))
                    .toArray(Commit[]::new));
        }
        return dag;
    }

    static List<Arguments> shapes() {
        List<Arguments> shapes = new ArrayList<>();
        for (int seed = 0; seed < 8; seed++) {
            for (int branches : new int[] {2, 3, 8}) {
                for (double merges : new double[] {0.05, 0.3, 0.7}) {
                    shapes.add(Arguments.of(seed, branches, merges));
                }
            }
        }
        return shapes;
    }

    /** Branches that grow, merge each other at their heads or earlier, start anew from old commits or from nothing. */
    @ParameterizedTest(name = "seed {0}, {1} branches, {2} of the commits are merges")
    @MethodSource("shapes")
    void largeGraphs(int seed, int branches, double merges) {
        Random random = new Random(seed);
        CommitDag dag = new CommitDag();
        Commit[] heads = new Commit[branches];
        for (int i = 0; i < branches; i++) {
            heads[i] = i == 0 || random.nextInt(4) == 0 ? dag.commit() : dag.commit(heads[0]);
        }
        while (dag.all().size() < 70) {
            int branch = random.nextInt(branches);
            Commit any = dag.all().get(random.nextInt(dag.all().size()));
            double dice = random.nextDouble();
            long skewed = random.nextInt(1_000);
            if (dice < 0.02) {
                heads[branch] = any;
            } else if (dice < 0.04) {
                heads[branch] = dag.twin(heads[branch]);
            } else if (dice < 0.04 + merges) {
                Commit other = random.nextInt(4) == 0 ? any : heads[random.nextInt(branches)];
                if (other != heads[branch]) {
                    heads[branch] = dag.commitAt(skewed, heads[branch], other);
                }
            } else {
                heads[branch] = dag.commitAt(skewed, heads[branch]);
            }
        }
        check(dag);
    }

    /** What brute force knows of a graph, by number; bits are names of commits, which twins share. */
    private record Known(CommitDag dag, List<BitSet> reached, List<BitSet> lines) {

        static Known of(CommitDag dag) {
            List<BitSet> reached = new ArrayList<>(List.of(new BitSet()));
            List<BitSet> lines = new ArrayList<>(List.of(new BitSet()));
            for (Commit commit : dag.all()) {
                BitSet ancestors = new BitSet();
                commit.parents().forEach(parent -> ancestors.or(reached.get((int) parent.number())));
                ancestors.set(name(commit));
                reached.add(ancestors);
                BitSet line = (BitSet)
                        lines.get((int) commit.parents().get(0).number()).clone();
                line.set(name(commit));
                lines.add(line);
            }
            return new Known(dag, reached, lines);
        }

        /** The number of the first row of a commit. */
        static int name(Commit commit) {
            return (int) CommitDag.firstNumber(commit.id());
        }

        BitSet reached(Commit from) {
            return reached.get((int) from.number());
        }

        BitSet line(Commit from) {
            return lines.get((int) from.number());
        }

        /** The commits of a set from which no other one of it is descended. */
        int[] best(BitSet common) {
            BitSet best = (BitSet) common.clone();
            common.stream().forEach(name -> {
                BitSet below = (BitSet) reached.get(name).clone();
                below.clear(name);
                best.andNot(below);
            });
            return best.stream().toArray();
        }
    }

    private static BitSet both(BitSet one, BitSet other) {
        BitSet both = (BitSet) one.clone();
        both.and(other);
        return both;
    }

    private static void check(CommitDag dag) {
        Known known = Known.of(dag);
        for (Commit one : dag.all()) {
            checkLine(known, one);
            checkFloor(known, one);
            for (Commit other : dag.all()) {
                checkPair(known, one, other);
            }
        }
    }

    /** What holds among the older commits was checked when they were the newest. */
    private static void checkNewest(CommitDag dag) {
        Known known = Known.of(dag);
        Commit newest = dag.all().get(dag.all().size() - 1);
        checkLine(known, newest);
        checkFloor(known, newest);
        for (Commit other : dag.all()) {
            checkPair(known, newest, other);
            checkPair(known, other, newest);
        }
    }

    private static void checkPair(Known known, Commit one, Commit other) {
        CommitGraph graph = known.dag().graph();
        int[] bases = graph.mergeBases(one, other).stream()
                .mapToInt(Known::name)
                .sorted()
                .toArray();
        boolean agrees = Arrays.equals(bases, known.best(both(known.reached(one), known.reached(other))))
                && graph.reaches(one, other) == known.reached(one).get(Known.name(other))
                && graph.isOnLine(other, one) == known.line(one).get(Known.name(other))
                && Known.name(graph.forkPoint(one, other))
                        == Math.max(0, both(known.line(one), known.line(other)).length() - 1);
        if (!agrees) {
            fail("Commits %d and %d of %s", one.number(), other.number(), parents(known.dag()));
        }
    }

    private static void checkLine(Known known, Commit from) {
        CommitGraph graph = known.dag().graph();
        List<Commit> line = new ArrayList<>();
        graph.line(from).forEachRemaining(line::add);
        assertThat(line.stream().mapToInt(Known::name).sorted().toArray())
                .isEqualTo(known.line(from).stream().toArray());
        for (Commit commit : line) {
            boolean agrees = graph.ancestor(from, commit.seq()).id().equals(commit.id())
                    && graph.asOf(from, commit.createdAtMicros()).id().equals(commit.id())
                    && graph.asOf(from, commit.createdAtMicros() - 1).seq() == commit.seq() - 1;
            if (!agrees) {
                fail("Commit %d on the line of %d of %s", commit.number(), from.number(), parents(known.dag()));
            }
        }
        assertThat(graph.ancestors(from, line.stream().map(Commit::seq).toList())
                        .values())
                .extracting(Commit::id)
                .containsExactlyElementsOf(
                        line.reversed().stream().map(Commit::id).toList());
        assertThat(line).extracting(Commit::seq).isSortedAccordingTo(Comparator.reverseOrder());
        assertThat(graph.ancestor(from, 0)).isEqualTo(Commit.NO_ANCESTOR);
        assertThat(graph.reaches(from, Commit.NO_ANCESTOR)).isTrue();
        assertThat(graph.mergeBases(from, Commit.NO_ANCESTOR)).isEmpty();
    }

    private static void checkFloor(Known known, Commit commit) {
        BitSet beyondJump = (BitSet) known.reached(commit).clone();
        beyondJump.andNot(known.reached().get((int) commit.jump()));
        long lowest = beyondJump.stream()
                .mapToLong(name -> known.dag().commit(name).generation())
                .min()
                .orElseThrow();
        assertThat(commit.jumpFloor()).isBetween(1L, lowest);
    }

    private static List<List<Long>> parents(CommitDag dag) {
        return dag.all().stream()
                .map(commit -> commit.parents().stream().map(Head::number).toList())
                .toList();
    }
}
