package org.anabranch.dag;

import java.util.Iterator;
import java.util.List;
import org.anabranch.object.Commit;
import org.anabranch.object.ObjectReader;

/** Walks commits: the first-parent line through jump pointers, ancestry and merge bases through all parents. */
public final class CommitGraph {

    public CommitGraph(ObjectReader reader) {}

    /** Where a new commit with these parents stands, first parent first. */
    public GraphPosition position(List<Commit> parents) {
        throw new UnsupportedOperationException();
    }

    /** The commit on the line of {@code from} with that {@code seq}, 0 being no ancestor: O(log h) reads. */
    public Commit ancestor(Commit from, long seq) {
        throw new UnsupportedOperationException();
    }

    /** Whether a commit lies on the first-parent line of another, itself and no ancestor included: O(log h) reads. */
    public boolean isOnLine(Commit candidate, Commit head) {
        throw new UnsupportedOperationException();
    }

    /** The nearest common commit of the first-parent lines of both; no ancestor if they share none: O(log h) reads. */
    public Commit forkPoint(Commit one, Commit other) {
        throw new UnsupportedOperationException();
    }

    /** The newest commit on the line, {@code from} included, created at or before that time: O(log h) reads. */
    public Commit asOf(Commit from, long micros) {
        throw new UnsupportedOperationException();
    }

    /** The line from a commit, itself included, down to its first commit, read ahead in blocks. */
    public Iterator<Commit> line(Commit from) {
        throw new UnsupportedOperationException();
    }

    /** Whether {@code ancestor} is reached from {@code descendant} by any parents; a commit reaches itself. */
    public boolean reaches(Commit descendant, Commit ancestor) {
        throw new UnsupportedOperationException();
    }

    /**
     * The best common ancestors: common ancestors by any parents from which no other common ancestor is reached. Ordered by
     * falling generation, then id; empty if only no ancestor is common.
     */
    public List<Commit> mergeBases(Commit one, Commit other) {
        throw new UnsupportedOperationException();
    }
}
