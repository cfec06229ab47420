package org.anabranch.model;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * The hash of a commit: the SHA-256 of its logical content, 32 bytes, printed as 64 lower-case hex digits. Ordered by
 * unsigned bytes.
 */
public final class CommitId implements Comparable<CommitId> {

    /** Size of an id in bytes. */
    public static final int BYTES = 32;

    /**
     * The no-ancestor hash, parent of every first commit and head of an empty reference: the SHA-256 of the ASCII text
     * {@code empty}. Clients rely on exactly this value.
     */
    public static final CommitId NO_ANCESTOR =
            CommitId.parse("2e1cfa82b035c26cbbbdae632cea070514eb8b773f616aaeaf668e2f0be8f10d");

    private final byte[] bytes;

    private CommitId(byte[] bytes) {
        this.bytes = bytes;
    }

    /** Copies 32 bytes into an id. */
    public static CommitId of(byte[] bytes) {
        if (bytes.length != BYTES) {
            throw new IllegalArgumentException("A commit id has 32 bytes");
        }
        return new CommitId(bytes.clone());
    }

    /** Reads 64 hex digits of either case. */
    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    public static CommitId parse(String hex) {
        if (hex.length() != 2 * BYTES) {
            throw new IllegalArgumentException("A commit id has 64 hex digits");
        }
        return new CommitId(HexFormat.of().parseHex(hex));
    }

    /** A copy of the 32 bytes. */
    public byte[] toBytes() {
        return bytes.clone();
    }

    @Override
    public int compareTo(CommitId other) {
        return Arrays.compareUnsigned(bytes, other.bytes);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof CommitId that && Arrays.equals(bytes, that.bytes);
    }

    @Override
    public int hashCode() {
        return ByteBuffer.wrap(bytes).getInt();
    }

    /** The 64 lower-case hex digits. */
    @JsonValue
    @Override
    public String toString() {
        return HexFormat.of().formatHex(bytes);
    }
}
