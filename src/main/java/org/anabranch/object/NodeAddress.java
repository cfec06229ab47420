package org.anabranch.object;

/**
 * Where an item of a commit row lies: an index node, or a content too large for its leaf.
 *
 * <p>An address never changes its meaning, so decoded items are cached by it without invalidation.
 *
 * @param commitNumber of the row the item was born in
 * @param ordinal names the chunk of the row and the place in it; see docs/formats.md
 */
public record NodeAddress(long commitNumber, int ordinal) {

    // Written out: each node that is read costs a look-up in the cache by address, and what a record brings itself
    // goes through method handles that the compiler does not always see through. Numbers and ordinals lie close
    // together,
    // and added up as they are they would share hashes with those of the rows beside them: numbers are spread first, by
    // the odd multiplier nearest to 2^64 over the golden ratio.
    private static final long SPREAD = 0x9E37_79B9_7F4A_7C15L;

    @Override
    public boolean equals(Object other) {
        return other instanceof NodeAddress that && commitNumber == that.commitNumber && ordinal == that.ordinal;
    }

    @Override
    public int hashCode() {
        return Long.hashCode(commitNumber * SPREAD + ordinal);
    }
}
