package org.anabranch.object;

import java.nio.ByteBuffer;
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
        ByteBuffer out = ByteBuffer.allocate(3 * ContentKey.MAX_LENGTH + ContentKey.MAX_ELEMENTS);
        for (String element : key.elements()) {
            for (int i = 0; i < element.length(); i++) {
                char c = element.charAt(i);
                if (c < 0x80) {
                    out.put((byte) c);
                } else if (c < 0x800) {
                    out.put((byte) (0xc0 | c >> 6)).put((byte) (0x80 | c & 0x3f));
                } else {
                    out.put((byte) (0xe0 | c >> 12))
                            .put((byte) (0x80 | c >> 6 & 0x3f))
                            .put((byte) (0x80 | c & 0x3f));
                }
            }
            out.put((byte) 0);
        }
        return new IndexKey(Arrays.copyOf(out.array(), out.position()));
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
        StringBuilder element = new StringBuilder();
        for (int i = 0; i < bytes.length; i++) {
            int b = bytes[i] & 0xff;
            if (b == 0) {
                elements.add(element.toString());
                element.setLength(0);
            } else if (b < 0x80) {
                element.append((char) b);
            } else if (b < 0xe0) {
                element.append((char) ((b & 0x1f) << 6 | bytes[++i] & 0x3f));
            } else {
                element.append((char) ((b & 0xf) << 12 | (bytes[++i] & 0x3f) << 6 | bytes[++i] & 0x3f));
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
