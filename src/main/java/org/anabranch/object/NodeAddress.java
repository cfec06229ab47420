package org.anabranch.object;

/**
 * Where an item of a commit row lies: an index node, or a content too large for its leaf.
 *
 * <p>An address never changes its meaning, so decoded items are cached by it without invalidation.
 *
 * @param commitNumber of the row the item was born in
 * @param ordinal names the chunk of the row and the place in it; see docs/formats.md
 */
public record NodeAddress(long commitNumber, int ordinal) {}
