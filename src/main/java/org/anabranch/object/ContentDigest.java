package org.anabranch.object;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;

/** The SHA-256 of an encoded content: what stands for the content in a commit's hash. */
public final class ContentDigest {

    static final int BYTES = 32;

    private final byte[] bytes;

    private ContentDigest(byte[] bytes) {
        this.bytes = bytes;
    }

    /** The digest of encoded bytes. */
    static ContentDigest of(byte[] encoded) {
        return new ContentDigest(sha256().digest(encoded));
    }

    /** Takes over a digest's 32 bytes, which are not changed afterwards. */
    static ContentDigest ofBytes(byte[] bytes) {
        return new ContentDigest(bytes);
    }

    static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("Every Java platform has SHA-256", e);
        }
    }

    /** The digest itself: shared and not to be changed. */
    byte[] bytes() {
        return bytes;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ContentDigest that && Arrays.equals(bytes, that.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    @Override
    public String toString() {
        return HexFormat.of().formatHex(bytes);
    }
}
