package org.anabranch.dag;

/**
 * Where a new commit stands in the graph: the fields of its header that follow from its parents, as
 * {@link org.anabranch.object.Commit} defines them.
 *
 * @param lastMerge number of the nearest merge on the first parent's line; the commit itself takes its own number instead
 *     if it is a merge
 */
public record GraphPosition(long seq, long jump, long jumpSeq, long jumpFloor, long generation, long lastMerge) {}
