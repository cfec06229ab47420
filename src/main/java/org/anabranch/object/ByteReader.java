package org.anabranch.object;

import java.util.Arrays;
import java.util.UUID;

/** Reads what {@link ByteWriter} wrote. Throws {@link CorruptObjectException} where that is impossible. */
final class ByteReader {

    private final byte[] bytes;
    private final int end;
    private int at;

    ByteReader(byte[] bytes) {
        this(bytes, 0, bytes.length);
    }

    ByteReader(byte[] bytes, int from, int end) {
        this.bytes = bytes;
        this.at = from;
        this.end = end;
    }

    int position() {
        return at;
    }

    boolean hasMore() {
        return at < end;
    }

    void requireEnd() {
        if (at != end) {
            throw new CorruptObjectException("Stored bytes go on after their end");
        }
    }

    int u8() {
        require(1);
        return bytes[at++] & 0xff;
    }

    long number() {
        long value = 0;
        for (int shift = 0; shift < 64; shift += 7) {
            int b = u8();
            value |= (b & 0x7fL) << shift;
            if (b < 0x80) {
                return value;
            }
        }
        throw new CorruptObjectException("A stored number does not end");
    }

    /** A number of things or bytes that is known to fit an int. */
    int count() {
        long value = number();
        if (value < 0 || value > Integer.MAX_VALUE) {
            throw new CorruptObjectException("A stored number is out of range");
        }
        return (int) value;
    }

    long signed() {
        long value = number();
        return value >>> 1 ^ -(value & 1);
    }

    long fixed64() {
        require(8);
        long value = 0;
        for (int i = 0; i < 8; i++) {
            value = value << 8 | bytes[at++] & 0xff;
        }
        return value;
    }

    byte[] raw(int length) {
        require(length);
        at += length;
        return Arrays.copyOfRange(bytes, at - length, at);
    }

    byte[] sized() {
        return raw(count());
    }

    byte[] rest() {
        return raw(end - at);
    }

    void skip(int length) {
        require(length);
        at += length;
    }

    UUID uuid() {
        return new UUID(fixed64(), fixed64());
    }

    Sum sum() {
        return new Sum(fixed64(), fixed64());
    }

    String string() {
        int length = count();
        require(length);
        at += length;
        return codeUnits(bytes, at - length, at);
    }

    /** Reads code units written by {@link ByteWriter#codeUnits}. */
    static String codeUnits(byte[] bytes, int from, int until) {
        StringBuilder text = new StringBuilder(until - from);
        int i = from;
        while (i < until) {
            int b = bytes[i] & 0xff;
            int more = b < 0x80 ? 0 : b < 0xe0 ? 1 : 2;
            if (i + more >= until) {
                throw new CorruptObjectException("A stored string ends within a character");
            }
            text.append((char)
                    (more == 0
                            ? b
                            : more == 1
                                    ? (b & 0x1f) << 6 | bytes[i + 1] & 0x3f
                                    : (b & 0xf) << 12 | (bytes[i + 1] & 0x3f) << 6 | bytes[i + 2] & 0x3f));
            i += more + 1;
        }
        return text.toString();
    }

    IndexKey key(byte[] reference) {
        int shared = count();
        int rest = count();
        if (shared > reference.length) {
            throw new CorruptObjectException("A stored key shares more than there is");
        }
        require(rest);
        byte[] key = Arrays.copyOf(reference, shared + rest);
        System.arraycopy(bytes, at, key, shared, rest);
        at += rest;
        return IndexKey.ofBytes(key);
    }

    NodeAddress address(long ownNumber) {
        return new NodeAddress(ownNumber - signed(), count());
    }

    private void require(int length) {
        if (length < 0 || length > end - at) {
            throw new CorruptObjectException("Stored bytes end too early");
        }
    }
}
