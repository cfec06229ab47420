package org.anabranch.rest;

/**
 * What a JSON body counts as while it is read: its bytes, or a third of what it takes in memory once it is parsed, whichever is
 * more. Parsed, bodies take three times their bytes if they are what clients send; but a list of very short texts takes twenty
 * times as much, and a limit of bytes alone would let a few such bodies take the whole heap.
 */
final class ParsedSize {

    /** What a value takes beside its text, at least: an object and its place in a list. */
    private static final int BYTES_OF_A_VALUE = 40;

    private static final int MEMORY_PER_BYTE = 3;

    private long bytes;
    private long values;
    private boolean inText;
    private boolean escaped;

    /** Whether a byte of UTF-16 or UTF-32 was seen, where texts are not told apart: what looks like a value is one. */
    private boolean wide;

    void add(byte[] buffer, int offset, int length) {
        bytes += length;
        for (int i = offset; i < offset + length; i++) {
            byte next = buffer[i];
            if (escaped) {
                escaped = false;
            } else if (inText && next == '\\') {
                escaped = true;
            } else if (next == '"') {
                inText = !inText;
            } else if (next == 0) {
                wide = true;
            } else if (next == '~' || next == '^' || (!inText || wide) && (next == ',' || next == '[' || next == '{')) {
                // Signs inside of texts are the steps of hashes, each of which becomes an object.
                values++;
            }
        }
    }

    /** Never less than the bytes that were read. */
    long counted() {
        return Math.max(bytes, (bytes + values * BYTES_OF_A_VALUE) / MEMORY_PER_BYTE);
    }
}
