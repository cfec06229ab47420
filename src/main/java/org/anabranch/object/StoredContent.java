package org.anabranch.object;

/** The content of an index entry: in the leaf if it is small, else an item of its own in the row it was born in. */
public sealed interface StoredContent {

    /** At most this many encoded bytes lie in the leaf. */
    int MAX_INLINE_BYTES = 512;

    /** The encoded content itself; not to be changed. */
    record Inline(byte[] encoded) implements StoredContent {}

    /** A content of its own: its address, its encoded size, and a hash of its encoded bytes. */
    record Large(NodeAddress address, int encodedBytes, Sum hash) implements StoredContent {}
}
