package org.anabranch.object;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.anabranch.model.ContentKey;

/**
 * A content key as the bytes that the index sorts by: each UTF-16 code unit of an element as one to three bytes (as
 * CESU-8 does, so that surrogates sort where UTF-16 sorts them), and a zero byte after each element.
 *
 * <p>Unsigned byte order is the order of {@link ContentKey}, and the keys below a key are one byte range. A range may also
 * be bounded by bytes that are no whole key, see {@link #afterAllBelow}.
 */
public final class IndexKey implements Comparable<IndexKey> {

    private final byte[] bytes;

    private IndexKey(byte[] bytes) {
        this.bytes = bytes;
    }

    public static IndexKey of(ContentKey key) {
        ByteWriter out = new ByteWriter();
        for (String element : key.elements()) {
            out.codeUnits(element).u8(0);
        }
        return new IndexKey(out.toBytes());
    }

    /** Takes over encoded bytes, which are not changed afterwards. */
    static IndexKey ofBytes(byte[] bytes) {
        return new IndexKey(bytes);
    }

    /** A bound after this key and all keys below it, and before every other greater key. */
    public IndexKey afterAllBelow() {
        byte[] bound = Arrays.copyOf(bytes, bytes.length + 1);
        bound[bytes.length] = (byte) 0xff;
        return new IndexKey(bound);
    }

    /** A bound directly after this key, before the keys below it. */
    public IndexKey next() {
        return new IndexKey(Arrays.copyOf(bytes, bytes.length + 1));
    }

    /** The key that was encoded. */
    public ContentKey toContentKey() {
        List<String> elements = new ArrayList<>();
        int from = 0;
        for (int i = 0; i < bytes.length; i++) {
            if (bytes[i] == 0) {
                elements.add(ByteReader.codeUnits(bytes, from, i));
                from = i + 1;
            }
        }
        return new ContentKey(elements);
    }

    /** The encoded bytes: shared with this key and not to be changed. */
    public byte[] bytes() {
        return bytes;
    }

    @Override
    public int compareTo(IndexKey other) {
        return Arrays.compareUnsigned(bytes, other.bytes);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof IndexKey that && Arrays.equals(bytes, that.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    @Override
    public String toString() {
        return toContentKey().toString();
    }
}
