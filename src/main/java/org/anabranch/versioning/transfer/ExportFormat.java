package org.anabranch.versioning.transfer;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.zip.CRC32C;

/** What writer and reader of the file agree on; see docs/formats.md. */
final class ExportFormat {

    static final byte[] MAGIC = "anabranch export".getBytes(StandardCharsets.US_ASCII);

    static final int VERSION = 1;

    /** Kind, bytes of the payload, bytes that are stored. */
    static final int HEAD_BYTES = 1 + 2 * Integer.BYTES;

    /**
     * Most bytes of a block's payload, and of its stored form. Blocks are a thousandth of it, but for a merge that changes very many keys,
     * which is one record.
     */
    static final int MOST_BLOCK_BYTES = 512 << 20;

    /** Kind and bytes of the payload: how well it is compressed does not count. */
    static final int DIGESTED_HEAD_BYTES = 1 + Integer.BYTES;

    private ExportFormat() {}

    static MessageDigest newDigest() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("Every Java platform has SHA-256", e);
        }
    }

    /** Of a block at its place, so that one in another's place is noticed. */
    static CRC32C checksum(long place, byte[] head, byte[] stored) {
        CRC32C checksum = new CRC32C();
        checksum.update(ByteBuffer.allocate(Long.BYTES).putLong(place).flip());
        checksum.update(head);
        checksum.update(stored);
        return checksum;
    }

    /** What the last block holds. */
    static byte[] end(long references, long commits, byte[] digest) {
        return ByteBuffer.allocate(2 * Long.BYTES + digest.length)
                .putLong(references)
                .putLong(commits)
                .put(digest)
                .array();
    }
}
