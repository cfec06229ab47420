package org.anabranch.versioning.transfer;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.zip.CRC32C;
import java.util.zip.Deflater;
import org.anabranch.object.ExportCodec;
import org.anabranch.object.ExportedCommit;
import org.anabranch.object.ExportedReference;
import org.anabranch.store.RepositoryRow;

/**
 * Writes the file of an export in order: the repository, all references, all commits, the end. Holds one block. What it is given
 * alone decides what it writes. The form is in docs/formats.md.
 */
final class ExportWriter {

    /** Large enough to compress well, small enough to hold. */
    static final int BLOCK_BYTES = 256 << 10;

    private static final int LEVEL = 6;

    private final DataOutputStream out;
    private final int blockBytes;
    private final MessageDigest digest = ExportFormat.newDigest();
    private final ByteArrayOutputStream payload = new ByteArrayOutputStream();
    private final DataOutputStream records = new DataOutputStream(payload);
    private final byte[] deflated = new byte[64 << 10];

    private BlockKind kind = BlockKind.REPOSITORY;
    private long place;
    private long bytes;
    private long references;
    private long commits;

    /** @param blockBytes a block is closed when it holds that many */
    ExportWriter(OutputStream out, int blockBytes) {
        this.out = new DataOutputStream(out);
        this.blockBytes = blockBytes;
    }

    /** How long the file is so far, without the block that is open. */
    long bytes() {
        return bytes;
    }

    void begin(RepositoryRow repository) throws IOException {
        out.write(ExportFormat.MAGIC);
        out.writeByte(ExportFormat.VERSION);
        bytes += ExportFormat.MAGIC.length + 1;
        add(BlockKind.REPOSITORY, ExportCodec.encode(repository));
    }

    void add(ExportedReference reference) throws IOException {
        add(BlockKind.REFERENCES, ExportCodec.encode(reference));
        references++;
    }

    void add(ExportedCommit commit) throws IOException {
        add(BlockKind.COMMITS, ExportCodec.encode(commit));
        commits++;
    }

    /**
     * Ends the file.
     *
     * @return the digest of all that it holds
     */
    byte[] end() throws IOException {
        close();
        byte[] sum = digest.digest();
        kind = BlockKind.END;
        records.writeLong(references);
        records.writeLong(commits);
        records.write(sum);
        close();
        out.flush();
        return sum;
    }

    private void add(BlockKind of, byte[] record) throws IOException {
        if (of != kind || payload.size() >= blockBytes) {
            close();
            kind = of;
        }
        records.writeInt(record.length);
        records.write(record);
    }

    private void close() throws IOException {
        if (payload.size() == 0) {
            return;
        }
        byte[] plain = payload.toByteArray();
        payload.reset();
        ByteBuffer head = ByteBuffer.allocate(ExportFormat.HEAD_BYTES);
        byte[] stored = deflate(plain);
        head.put((byte) kind.code()).putInt(plain.length).putInt(stored.length);
        digest.update(head.array(), 0, ExportFormat.DIGESTED_HEAD_BYTES);
        digest.update(plain);
        CRC32C checksum = ExportFormat.checksum(place, head.array(), stored);
        out.write(head.array());
        out.write(stored);
        out.writeInt((int) checksum.getValue());
        bytes += head.capacity() + stored.length + Integer.BYTES;
        place++;
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
