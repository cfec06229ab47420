package org.anabranch.versioning.transfer;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.zip.Deflater;

/** Writes how an export begins, and its blocks. What is in them goes to {@link ExportWriter}. */
final class BlockWriter {

    private static final int LEVEL = 6;

    private final DataOutputStream out;
    private final MessageDigest digest = ExportFormat.newDigest();
    private final byte[] deflated = new byte[64 << 10];
    private long place;
    private long bytes;

    BlockWriter(OutputStream out) {
        this.out = new DataOutputStream(out);
    }

    /** How long the file is so far. */
    long bytes() {
        return bytes;
    }

    void begin() throws IOException {
        out.write(ExportFormat.MAGIC);
        out.writeByte(ExportFormat.VERSION);
        bytes += ExportFormat.MAGIC.length + 1;
    }

    void write(BlockKind kind, byte[] payload) throws IOException {
        byte[] stored = deflate(payload);
        byte[] head = ByteBuffer.allocate(ExportFormat.HEAD_BYTES)
                .put((byte) kind.code())
                .putInt(payload.length)
                .putInt(stored.length)
                .array();
        digest.update(head, 0, ExportFormat.DIGESTED_HEAD_BYTES);
        digest.update(payload);
        out.write(head);
        out.write(stored);
        out.writeInt((int) ExportFormat.checksum(place, head, stored).getValue());
        bytes += head.length + stored.length + Integer.BYTES;
        place++;
    }

    /** Of all blocks so far. */
    byte[] digest() {
        return digest.digest();
    }

    void end() throws IOException {
        out.flush();
    }

    private byte[] deflate(byte[] plain) {
        Deflater deflater = new Deflater(LEVEL, true);
        try {
            deflater.setInput(plain);
            deflater.finish();
            ByteArrayOutputStream result = new ByteArrayOutputStream();
            while (!deflater.finished()) {
                result.write(deflated, 0, deflater.deflate(deflated));
            }
            return result.toByteArray();
        } finally {
            deflater.end();
        }
    }
}
