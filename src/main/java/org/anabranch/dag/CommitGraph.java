package org.anabranch.dag;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.anabranch.object.Commit;
import org.anabranch.object.GraphPosition;
import org.anabranch.object.ObjectReader;

/**
 * Walks commits: the first-parent line through jump pointers, ancestry and merge bases through all parents. Pure over its
 * reader; safe from many threads if the reader is.
 *
 * <p>Jumps are skew-binary (E. Myers, "An applicative random-access stack", 1983): how far a commit's jump leads depends on
 * its {@code seq} alone, and any earlier commit of the line is O(log seq) steps of jumps and first parents away. h is the
 * length of a line throughout.
 *
 * <p>One commit may be stored under several numbers, if it was staged more than once. So commits are told apart by id, and
 * which of its rows an answer holds is not fixed.
 */
public final class CommitGraph {

    private final ObjectReader reader;

    public CommitGraph(ObjectReader reader) {
        this.reader = reader;
    }

    /**
     * Where a new commit stands. Costs one read for a plain commit; for a merge also those of {@link #mergeBases} of its
     * parents.
     *
     * @param parents first parent first, at least one; {@link Commit#NO_ANCESTOR} alone for a first commit
     */
    public GraphPosition position(List<Commit> parents) {
        Commit first = parents.get(0);
        Commit firstJump = reader.commit(first.jump());
        long generation =
                1 + parents.stream().mapToLong(Commit::generation).max().orElseThrow();
        long floor = parents.size() == 1 ? generation : Math.min(generation, mergedFloor(parents));
        boolean closesTwoEqualJumps = first.seq() - first.jumpSeq() == first.jumpSeq() - firstJump.jumpSeq();
        if (first.isNoAncestor() || !closesTwoEqualJumps) {
            return new GraphPosition(
                    first.seq() + 1, first.number(), first.seq(), floor, generation, first.lastMerge());
        }
        floor = Math.min(floor, Math.min(first.jumpFloor(), firstJump.jumpFloor()));
        return new GraphPosition(
                first.seq() + 1, firstJump.jump(), firstJump.jumpSeq(), floor, generation, first.lastMerge());
    }

    /**
     * The commit on the line of {@code from} with that {@code seq}: O(log h) reads.
     *
     * @param seq from 0, which is no ancestor, to that of {@code from}
     */
    public Commit ancestor(Commit from, long seq) {
        if (seq < 0 || seq > from.seq()) {
            throw new IllegalArgumentException("No commit of the line has that seq");
        }
        Commit at = from;
        while (at.seq() > seq) {
            at = reader.commit(stepTowards(at, seq));
        }
        return at;
    }

    /**
     * The commits on the line of {@code from} with those {@code seq}, by {@code seq}. All of them are walked to together, in O(log
     * h) bulk reads, none of which reads a commit again.
     *
     * @param seqs each from 0 to that of {@code from}
     */
    public SortedMap<Long, Commit> ancestors(Commit from, Collection<Long> seqs) {
        List<Long> order = seqs.stream().sorted().distinct().toList();
        List<Commit> found = ancestors(Collections.nCopies(order.size(), from), order);
        SortedMap<Long, Commit> bySeq = new TreeMap<>();
        for (int i = 0; i < found.size(); i++) {
            bySeq.put(order.get(i), found.get(i));
        }
        return bySeq;
    }

    /** For each commit the one on its line with the {@code seq} at the same place, all of them walked to together. */
    private List<Commit> ancestors(List<Commit> from, List<Long> seqs) {
        List<Commit> at = new ArrayList<>(from);
        for (int i = 0; i < at.size(); i++) {
            if (seqs.get(i) < 0 || seqs.get(i) > at.get(i).seq()) {
                throw new IllegalArgumentException("No commit of the line has that seq");
            }
        }
        while (true) {
            Map<Integer, Long> next = new HashMap<>();
            for (int i = 0; i < at.size(); i++) {
                if (at.get(i).seq() > seqs.get(i)) {
                    next.put(i, stepTowards(at.get(i), seqs.get(i)));
                }
            }
            if (next.isEmpty()) {
                return at;
            }
            Map<Long, Commit> read = read(next.values());
            next.forEach((i, number) -> at.set(i, read.get(number)));
        }
    }

    /** Commits by number, each read once, in one bulk read. */
    private Map<Long, Commit> read(Collection<Long> numbers) {
        if (numbers.isEmpty()) {
            return Map.of();
        }
        List<Long> distinct = numbers.stream().distinct().toList();
        List<Commit> commits = reader.commits(distinct);
        Map<Long, Commit> byNumber = new HashMap<>();
        for (int i = 0; i < commits.size(); i++) {
            byNumber.put(distinct.get(i), commits.get(i));
        }
        return byNumber;
    }

    /**
     * Whether a commit lies on the first-parent line of another, itself and no ancestor included: O(log h) reads.
     */
    public boolean isOnLine(Commit candidate, Commit head) {
        return candidate.seq() <= head.seq()
                && ancestor(head, candidate.seq()).id().equals(candidate.id());
    }

    /** The nearest common commit of the first-parent lines of both; no ancestor if they share none: O(log h) reads. */
    public Commit forkPoint(Commit one, Commit other) {
        return forkPoints(List.of(one), other).get(0);
    }

    /**
     * The fork points of many lines with one, in the order of the lines. All of them are walked to together, in O(log h) bulk
     * reads, none of which reads a commit twice.
     */
    public List<Commit> forkPoints(List<Commit> ones, Commit other) {
        List<Long> seqs =
                ones.stream().map(one -> Math.min(one.seq(), other.seq())).toList();
        List<Commit> left = ancestors(ones, seqs);
        List<Commit> right = ancestors(Collections.nCopies(ones.size(), other), seqs);
        while (true) {
            List<Integer> apart = IntStream.range(0, left.size())
                    .filter(i -> !left.get(i).id().equals(right.get(i).id()))
                    .boxed()
                    .toList();
            if (apart.isEmpty()) {
                return left;
            }
            // Equal seq means equally long jumps: if they meet, the fork point is there or above.
            Map<Long, Commit> jumps = read(apart.stream()
                    .filter(i -> left.get(i).jump() != right.get(i).jump())
                    .flatMap(i -> Stream.of(left.get(i).jump(), right.get(i).jump()))
                    .toList());
            List<Integer> near = new ArrayList<>();
            for (int i : apart) {
                Commit leftJump = jumps.get(left.get(i).jump());
                Commit rightJump = jumps.get(right.get(i).jump());
                if (left.get(i).jump() == right.get(i).jump() || leftJump.id().equals(rightJump.id())) {
                    near.add(i);
                } else {
                    left.set(i, leftJump);
                    right.set(i, rightJump);
                }
            }
            if (!near.isEmpty()) {
                Map<Long, Commit> parents = read(near.stream()
                        .flatMap(i -> Stream.of(firstParent(left.get(i)), firstParent(right.get(i))))
                        .toList());
                for (int i : near) {
                    left.set(i, parents.get(firstParent(left.get(i))));
                    right.set(i, parents.get(firstParent(right.get(i))));
                }
            }
        }
    }

    /**
     * The newest commit on the line, {@code from} included, created at or before a time: O(log h) reads.
     *
     * @param micros since the epoch
     */
    public Commit asOf(Commit from, long micros) {
        Commit at = from;
        while (at.createdAtMicros() > micros) {
            Commit jump = reader.commit(at.jump());
            boolean overshoots = jump.createdAtMicros() <= micros && at.seq() - at.jumpSeq() > 1;
            at = overshoots ? reader.commit(firstParent(at)) : jump;
        }
        return at;
    }

    /**
     * The line from a commit, itself included, down to its first commit; empty from no ancestor. Reads ahead in blocks that
     * grow to 256 commits, each in O(log of its size) bulk reads; reads nothing before the second commit is asked for.
     */
    public Iterator<Commit> line(Commit from) {
        return new LineIterator(reader, from);
    }

    /**
     * Whether {@code ancestor} is reached from {@code descendant} by any parents; a commit reaches itself and no ancestor.
     * Costs as {@link #mergeBases}, but looks at no merge older than the last one on the line of {@code ancestor}; O(log h)
     * reads if the line of {@code descendant} holds it.
     */
    public boolean reaches(Commit descendant, Commit ancestor) {
        if (isOnLine(ancestor, descendant)) {
            return true;
        }
        if (ancestor.generation() >= descendant.generation()) {
            return false;
        }
        CommonAncestorWalk walk = new CommonAncestorWalk(reader, this);
        walk.startOne(descendant);
        walk.startOther(ancestor);
        long decided = reader.commit(ancestor.lastMerge()).generation();
        while (walk.canFindMore() && walk.nextGeneration() >= decided) {
            walk.step();
        }
        return walk.found().stream().anyMatch(found -> found.id().equals(ancestor.id()));
    }

    /**
     * The best common ancestors: common ancestors by any parents from which no other common ancestor is reached. The order of
     * arguments is irrelevant.
     *
     * <p>Costs O((1 + m) log h) reads, m being the merges between the two commits and their bases that cannot be stepped over;
     * see {@link CommonAncestorWalk}. Plain commits are not walked.
     *
     * @return ordered by falling generation, then id; empty if only no ancestor is common
     */
    public List<Commit> mergeBases(Commit one, Commit other) {
        CommonAncestorWalk walk = new CommonAncestorWalk(reader, this);
        walk.startOne(one);
        walk.startOther(other);
        while (walk.canFindMore()) {
            walk.step();
        }
        return walk.found().stream()
                .sorted(Comparator.comparingLong(Commit::generation).reversed().thenComparing(Commit::id))
                .toList();
    }

    /** The lowest generation of a commit that the further parents bring in; {@link Long#MAX_VALUE} if they bring none. */
    private long mergedFloor(List<Commit> parents) {
        CommonAncestorWalk walk = new CommonAncestorWalk(reader, this);
        walk.startOne(parents.get(0));
        parents.stream().skip(1).forEach(walk::startOther);
        while (walk.canReachMoreFromOther()) {
            walk.step();
        }
        return walk.lowestFromOtherAlone();
    }

    /** The number of the farthest commit one step away that has at least that {@code seq}, which is lower than the commit's. */
    private static long stepTowards(Commit commit, long seq) {
        return commit.jumpSeq() >= seq ? commit.jump() : firstParent(commit);
    }

    static long firstParent(Commit commit) {
        return commit.parents().get(0).number();
    }
}
