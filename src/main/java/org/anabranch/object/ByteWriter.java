package org.anabranch.object;

import java.util.Arrays;
import java.util.UUID;

/** Writes the primitives of the stored format, see docs/formats.md, section 1. */
final class ByteWriter {

    private byte[] bytes = new byte[256];
    private int size;

    int size() {
        return size;
    }

    byte[] toBytes() {
        return Arrays.copyOf(bytes, size);
    }

    ByteWriter u8(int value) {
        room(1);
        bytes[size++] = (byte) value;
        return this;
    }

    /** An unsigned number: seven bits a byte, lowest first, the top bit set on all bytes but the last. */
    ByteWriter number(long value) {
        room(10);
        long rest = value;
        while ((rest & ~0x7fL) != 0) {
            bytes[size++] = (byte) (rest | 0x80);
            rest >>>= 7;
        }
        bytes[size++] = (byte) rest;
        return this;
    }

    /** A signed number: zigzag, so that small ones of either sign are short. */
    ByteWriter signed(long value) {
        return number(value << 1 ^ value >> 63);
    }

    ByteWriter fixed64(long value) {
        room(8);
        for (int shift = 56; shift >= 0; shift -= 8) {
            bytes[size++] = (byte) (value >>> shift);
        }
        return this;
    }

    ByteWriter raw(byte[] source) {
        return raw(source, 0, source.length);
    }

    ByteWriter raw(byte[] source, int from, int length) {
        room(length);
        System.arraycopy(source, from, bytes, size, length);
        size += length;
        return this;
    }

    /** Bytes behind their number. */
    ByteWriter sized(byte[] source) {
        return number(source.length).raw(source);
    }

    ByteWriter uuid(UUID value) {
        return fixed64(value.getMostSignificantBits()).fixed64(value.getLeastSignificantBits());
    }

    ByteWriter sum(Sum sum) {
        return fixed64(sum.high()).fixed64(sum.low());
    }

    /** A string's code units behind the number of their bytes. */
    ByteWriter string(String text) {
        int encoded = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            encoded += c < 0x80 ? 1 : c < 0x800 ? 2 : 3;
        }
        return number(encoded).codeUnits(text);
    }

    /**
     * Each UTF-16 code unit as one to three bytes, as CESU-8 does: any Java string can be written and read back, unpaired
     * surrogates included.
     */
    ByteWriter codeUnits(String text) {
        room(3 * text.length());
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < 0x80) {
                bytes[size++] = (byte) c;
            } else if (c < 0x800) {
                bytes[size++] = (byte) (0xc0 | c >> 6);
                bytes[size++] = (byte) (0x80 | c & 0x3f);
            } else {
                bytes[size++] = (byte) (0xe0 | c >> 12);
                bytes[size++] = (byte) (0x80 | c >> 6 & 0x3f);
                bytes[size++] = (byte) (0x80 | c & 0x3f);
            }
        }
        return this;
    }

    /** A key as what it shares with a reference key, and the rest. */
    ByteWriter key(IndexKey key, byte[] reference) {
        byte[] own = key.bytes();
        int shared = Arrays.mismatch(own, reference);
        if (shared < 0) {
            shared = own.length;
        }
        return number(shared).number(own.length - shared).raw(own, shared, own.length - shared);
    }

    /** An address, relative to the number of the row it is written in. */
    ByteWriter address(NodeAddress address, long ownNumber) {
        return signed(ownNumber - address.commitNumber()).number(address.ordinal());
    }

    private void room(int more) {
        if (bytes.length - size < more) {
            bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, size + more));
        }
    }
}
