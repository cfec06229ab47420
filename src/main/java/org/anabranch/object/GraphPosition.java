package org.anabranch.object;

/**
 * Where a new commit stands in the graph: the fields of its header that follow from its parents, as {@link Commit} defines them.
 *
 * @param lastMerge number of the nearest merge on the first parent's line; the commit itself takes its own number instead
 *     if it is a merge
 */
public record GraphPosition(long seq, long jump, long jumpSeq, long jumpFloor, long generation, long lastMerge) {

    public GraphPosition {
        if (jumpSeq < 0 || jumpSeq >= seq || jumpFloor < 1 || jumpFloor > generation) {
            throw new IllegalArgumentException(
                    "A commit comes after its jump, and after all that it reaches from there");
        }
    }
}
