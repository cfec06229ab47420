package org.anabranch.object;

import java.util.Arrays;

/** The content of an index entry: in the leaf if it is small, else an item of its own in the row it was born in. */
public sealed interface StoredContent {

    /** At most this many encoded bytes lie in the leaf. */
    int MAX_INLINE_BYTES = 512;

    /** The digest of the encoded content. */
    ContentDigest digest();

    /** Whether the encoded contents agree, wherever they lie. */
    boolean hasSameBytesAs(StoredContent other);

    /** The encoded content itself; not to be changed. */
    record Inline(byte[] encoded) implements StoredContent {

        @Override
        public ContentDigest digest() {
            return ContentDigest.of(encoded);
        }

        @Override
        public boolean hasSameBytesAs(StoredContent other) {
            return other instanceof Inline that && Arrays.equals(encoded, that.encoded);
        }
    }

    /**
     * A content of its own: where it lies, its encoded size, and the digest of its encoded bytes.
     *
     * <p>It lives as long as the commit it was born in. Whoever takes such an entry over into a commit that does not
     * descend from that one, by first or further parents, adds the content to the new row instead.
     */
    record Large(NodeAddress address, int encodedBytes, ContentDigest digest) implements StoredContent {

        @Override
        public boolean hasSameBytesAs(StoredContent other) {
            return other instanceof Large that && encodedBytes == that.encodedBytes && digest.equals(that.digest);
        }
    }
}
