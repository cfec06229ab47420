package org.anabranch.versioning.transfer;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
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

    private final BlockWriter out;
    private final int blockBytes;
    private final ByteArrayOutputStream payload = new ByteArrayOutputStream();
    private final DataOutputStream records = new DataOutputStream(payload);

    private BlockKind kind = BlockKind.REPOSITORY;
    private long references;
    private long commits;

    /** @param blockBytes a block is closed when it holds that many */
    ExportWriter(OutputStream out, int blockBytes) {
        this.out = new BlockWriter(out);
        this.blockBytes = blockBytes;
    }

    /** How long the file is so far, without the block that is open. */
    long bytes() {
        return out.bytes();
    }

    void begin(RepositoryRow repository) throws IOException {
        out.begin();
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
        byte[] digest = out.digest();
        out.write(BlockKind.END, ExportFormat.end(references, commits, digest));
        out.end();
        return digest;
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
        if (payload.size() > 0) {
            out.write(kind, payload.toByteArray());
            payload.reset();
        }
    }
}
