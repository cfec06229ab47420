package org.anabranch.dag;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.TreeMap;
import org.anabranch.model.CommitId;
import org.anabranch.object.Commit;
import org.anabranch.object.ObjectReader;

/**
 * Finds the best common ancestors of two sides of the graph, without walking plain commits.
 *
 * <p>The idea is the well-known one of painting both sides' ancestors from the youngest generation down, as Git does: a
 * commit reached by both colours is a best common ancestor unless it is reached from one found before. Two things differ:
 *
 * <ol>
 *   <li><b>Stretches.</b> The plain commits with the same {@code lastMerge} form a tree whose root is that merge. All the walk
 *       needs of such a tree is where lines enter it; where two of them join is a {@link CommitGraph#forkPoint}. So the queue
 *       holds stretches, ordered by the generation of their merge. Whatever enters a stretch comes from a commit of higher
 *       generation than its merge, so all entries are known when the stretch is taken.
 *   <li><b>Leaps.</b> If all else that waits in the queue has generation g or lower, then commits with higher generation
 *       are reached from the one in hand alone, and {@code jumpFloor} tells that a whole jump, with everything merged along
 *       it, is of that kind. So a long line of merges is crossed in O(log h) jumps down to where the other side begins.
 * </ol>
 *
 * <p>Steps, as numbered in the code: (1) take the stretch with the youngest merge; (2) inside it, find where lines of
 * different colours join; (3) colour the merge itself; (4) leap as far as nothing else waits; or else (5) pass the colour on
 * to the parents.
 */
final class CommonAncestorWalk {

    /** By which side a commit is reached; BOTH are common ancestors that are reached from one already found. */
    private enum Colour {
        ONE,
        OTHER,
        BOTH
    }

    private record Entry(Commit commit, Colour colour) {}

    /** The plain commits above one merge, or above no ancestor, as far as the walk has entered them; the merge included. */
    private record Stretch(Commit merge, List<Entry> entries) {}

    private final ObjectReader reader;
    private final CommitGraph graph;
    private final Map<CommitId, Stretch> waiting = new HashMap<>();
    private final PriorityQueue<Stretch> queue = new PriorityQueue<>(
            Comparator.comparingLong((Stretch stretch) -> stretch.merge().generation())
                    .reversed());
    private final TreeMap<Long, Integer> waitingGenerations = new TreeMap<>();
    private final int[] waitingByColour = new int[Colour.values().length];
    private final List<Commit> found = new ArrayList<>();
    private long lowestFromOtherAlone = Long.MAX_VALUE;

    CommonAncestorWalk(ObjectReader reader, CommitGraph graph) {
        this.reader = reader;
        this.graph = graph;
    }

    void startOne(Commit commit) {
        enter(commit, Colour.ONE);
    }

    void startOther(Commit commit) {
        enter(commit, Colour.OTHER);
    }

    /** Whether both colours still wait: where one is used up, nothing new can be reached by both. */
    boolean canFindMore() {
        return waits(Colour.ONE) && waits(Colour.OTHER);
    }

    boolean canReachMoreFromOther() {
        return waits(Colour.OTHER);
    }

    /** The generation of the merge whose stretch the next step takes. */
    long nextGeneration() {
        return queue.element().merge().generation();
    }

    /** The best common ancestors met so far, in no order. None of them is taken back by a later step. */
    List<Commit> found() {
        return found;
    }

    /** The lowest generation of a commit met so far that the other side alone reaches; {@link Long#MAX_VALUE} if none. */
    long lowestFromOtherAlone() {
        return lowestFromOtherAlone;
    }

    void step() {
        // 1
        Stretch stretch = queue.remove();
        waiting.remove(stretch.merge().id());
        stretch.entries().forEach(entry -> count(entry, -1));
        // 2, 3
        Colour colour = joinLines(stretch);
        if (stretch.merge().isNoAncestor()) {
            return;
        }
        // 4
        Commit at = stretch.merge();
        long othersGeneration = waitingGenerations.isEmpty() ? 0 : waitingGenerations.lastKey();
        while (at.jumpFloor() > othersGeneration) {
            if (colour == Colour.OTHER) {
                reachedFromOtherAlone(at.jumpFloor());
            }
            at = reader.commit(at.jump());
        }
        // 5
        if (at.number() == stretch.merge().number()) {
            List<Long> parents =
                    at.parents().stream().map(head -> head.number()).toList();
            reader.commits(parents).forEach(parent -> enter(parent, colour));
        } else {
            enter(at, colour);
        }
    }

    private void enter(Commit commit, Colour colour) {
        if (commit.isNoAncestor()) {
            return;
        }
        Commit merge = commit.isMerge() ? commit : reader.commit(commit.lastMerge());
        Stretch stretch = waiting.computeIfAbsent(merge.id(), id -> {
            Stretch added = new Stretch(merge, new ArrayList<>());
            queue.add(added);
            return added;
        });
        List<Commit> sameColour = entries(stretch, colour);
        // A branch merged again and again enters a stretch at ever older commits of one line, which the first entry
        // covers.
        if (sameColour.isEmpty() || !graph.isOnLine(commit, sameColour.get(sameColour.size() - 1))) {
            Entry entry = new Entry(commit, colour);
            stretch.entries().add(entry);
            count(entry, 1);
        }
    }

    /** Finds the best common ancestors inside a stretch, its merge included, and returns the colour of the merge. */
    private Colour joinLines(Stretch stretch) {
        List<Commit> ones = entries(stretch, Colour.ONE);
        List<Commit> others = entries(stretch, Colour.OTHER);
        List<Commit> boths = entries(stretch, Colour.BOTH);
        if (others.isEmpty()) {
            return boths.isEmpty() ? Colour.ONE : Colour.BOTH;
        }
        if (ones.isEmpty() && boths.isEmpty()) {
            reachedFromOtherAlone(Math.max(1, stretch.merge().generation()));
            return Colour.OTHER;
        }
        List<Commit> joins = new ArrayList<>();
        for (Commit other : others) {
            Commit join = highestJoin(other, ones, stretch.merge());
            Commit end = highestJoin(other, boths, join);
            if (end.seq() < other.seq()) {
                reachedFromOtherAlone(end.generation() + 1);
            }
            joins.add(join);
        }
        if (!ones.isEmpty()) {
            joins.removeIf(join -> join.isNoAncestor() || isOnAnyLine(join, boths));
            joins.sort(Comparator.comparingLong(Commit::seq).reversed());
            List<Commit> best = new ArrayList<>();
            for (Commit join : joins) {
                if (!isOnAnyLine(join, best)) {
                    best.add(join);
                }
            }
            found.addAll(best);
        }
        return Colour.BOTH;
    }

    /** The highest commit where a line meets one of others, or {@code lowest} if none is higher. */
    private Commit highestJoin(Commit line, List<Commit> others, Commit lowest) {
        Commit highest = lowest;
        for (Commit other : others) {
            Commit join = graph.forkPoint(line, other);
            if (join.seq() > highest.seq()) {
                highest = join;
            }
        }
        return highest;
    }

    private boolean isOnAnyLine(Commit commit, List<Commit> heads) {
        return heads.stream().anyMatch(head -> graph.isOnLine(commit, head));
    }

    private static List<Commit> entries(Stretch stretch, Colour colour) {
        return stretch.entries().stream()
                .filter(entry -> entry.colour() == colour)
                .map(Entry::commit)
                .toList();
    }

    private void reachedFromOtherAlone(long generation) {
        lowestFromOtherAlone = Math.min(lowestFromOtherAlone, generation);
    }

    private boolean waits(Colour colour) {
        return waitingByColour[colour.ordinal()] > 0;
    }

    private void count(Entry entry, int change) {
        waitingByColour[entry.colour().ordinal()] += change;
        waitingGenerations.merge(
                entry.commit().generation(), change, (had, more) -> had + more == 0 ? null : had + more);
    }
}
