package org.anabranch.versioning.transfer;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import org.jspecify.annotations.Nullable;

/**
 * Reads the file of an export, block by block, and refuses what was not written so: {@link ExportFileException}. Holds one block. What
 * the records in the blocks mean goes to its caller.
 */
final class ExportReader {

    /** Deflate never makes more of a byte. */
    private static final int MOST_FROM_A_BYTE = 1_032;

    /**
     * A block whose checksum is right.
     *
     * @param position where it begins in the file
     */
    record Block(BlockKind kind, long position, byte[] payload) {

        /** The records in it, in their order. */
        Iterable<byte[]> records() {
            return () -> new RecordIterator(this);
        }

        ExportFileException wrong(String what, @Nullable Throwable cause) {
            return new ExportFileException(what, position, cause);
        }
    }

    /**
     * What the last block says of the others.
     *
     * @param digest of all that the file holds, as it was found to be
     */
    record End(long references, long commits, byte[] digest) {}

    private final DataInputStream in;
    private final MessageDigest digest = ExportFormat.newDigest();
    private long position;
    private long place;
    private BlockKind last = BlockKind.REPOSITORY;
    private @Nullable End end;

    /** Reads how the file begins. */
    ExportReader(InputStream in) throws IOException {
        this.in = new DataInputStream(in);
        byte[] magic = in.readNBytes(ExportFormat.MAGIC.length);
        if (!Arrays.equals(magic, ExportFormat.MAGIC)) {
            throw new ExportFileException("this is not the beginning of an export", 0, null);
        }
        int version = in.read();
        if (version != ExportFormat.VERSION) {
            throw new ExportFileException(
                    version < 0
                            ? "the file ends here"
                            : "the export has version " + version + ", and this program reads version "
                                    + ExportFormat.VERSION + " only",
                    magic.length,
                    null);
        }
        position = magic.length + 1L;
    }

    /** How much of the file is read. */
    long position() {
        return position;
    }

    /** What the last block says, once {@link #next} came to it. */
    End end() {
        if (end == null) {
            throw new IllegalStateException("The end was not read yet");
        }
        return end;
    }

    /** The next block; null behind the last one, which is not among them. */
    @Nullable
    Block next() throws IOException {
        long begins = position;
        byte[] head = new byte[ExportFormat.HEAD_BYTES];
        byte[] stored;
        int checksum;
        try {
            in.readFully(head);
            requireModest(head, begins);
            int length = ByteBuffer.wrap(head).getInt(1 + Integer.BYTES);
            stored = in.readNBytes(length);
            if (stored.length < length) {
                throw new EOFException();
            }
            checksum = in.readInt();
        } catch (EOFException e) {
            throw new ExportFileException(
                    "the file is cut off in block " + (place + 1) + ", which begins here, or its size is altered",
                    begins,
                    e);
        }
        if (checksum != (int) ExportFormat.checksum(place, head, stored).getValue()) {
            throw new ExportFileException(
                    "block " + (place + 1) + ", which begins here, was altered: its checksum is wrong", begins, null);
        }
        position += head.length + stored.length + Integer.BYTES;
        place++;
        Block block = block(begins, head, stored);
        if (block.kind() != BlockKind.END) {
            digest.update(head, 0, ExportFormat.DIGESTED_HEAD_BYTES);
            digest.update(block.payload());
            return block;
        }
        end = end(block);
        return null;
    }

    /** Before memory is asked for: sizes are what the file claims, and nothing vouches for them yet. */
    private void requireModest(byte[] head, long begins) {
        ByteBuffer sizes = ByteBuffer.wrap(head, 1, 2 * Integer.BYTES);
        long most = Math.max(Integer.toUnsignedLong(sizes.getInt()), Integer.toUnsignedLong(sizes.getInt()));
        if (most > ExportFormat.MOST_BLOCK_BYTES) {
            throw new ExportFileException(
                    "block " + (place + 1) + ", which begins here, claims to have " + most
                            + " bytes, and a block has at most " + ExportFormat.MOST_BLOCK_BYTES,
                    begins,
                    null);
        }
    }

    private Block block(long begins, byte[] head, byte[] stored) {
        BlockKind kind;
        byte[] payload;
        try {
            kind = BlockKind.ofCode(head[0]);
            payload = inflate(stored, ByteBuffer.wrap(head).getInt(1));
        } catch (IllegalArgumentException | DataFormatException e) {
            throw new ExportFileException("block " + place + " is none of this version: " + e.getMessage(), begins, e);
        }
        boolean isInOrder = place == 1 ? kind == BlockKind.REPOSITORY : kind.compareTo(last) >= 0;
        if (!isInOrder || place == 2 && kind == BlockKind.REPOSITORY) {
            throw new ExportFileException("a block of kind " + kind + " has no place here", begins, null);
        }
        last = kind;
        return new Block(kind, begins, payload);
    }

    private static byte[] inflate(byte[] stored, int length) throws DataFormatException {
        if (length / MOST_FROM_A_BYTE > stored.length) {
            throw new DataFormatException("it cannot be so long");
        }
        byte[] payload = new byte[length];
        Inflater inflater = new Inflater(true);
        try {
            inflater.setInput(stored);
            int inflated = inflater.inflate(payload);
            boolean isLonger = !inflater.finished() && inflater.inflate(new byte[1]) > 0;
            if (inflated != length || isLonger || !inflater.finished()) {
                throw new DataFormatException("it has another length than it says");
            }
            return payload;
        } finally {
            inflater.end();
        }
    }

    private End end(Block block) throws IOException {
        byte[] found = digest.digest();
        ByteBuffer said = ByteBuffer.wrap(block.payload());
        byte[] sum = new byte[found.length];
        if (said.remaining() != 2 * Long.BYTES + sum.length) {
            throw block.wrong("the last block does not have its form", null);
        }
        long references = said.getLong();
        long commits = said.getLong();
        said.get(sum);
        if (!Arrays.equals(sum, found)) {
            throw block.wrong("the digest of the whole file is wrong: blocks were taken out or exchanged", null);
        }
        if (in.read() >= 0) {
            throw new ExportFileException("the file goes on behind its end", position, null);
        }
        return new End(references, commits, found);
    }
}
