package org.anabranch.model;

import java.util.regex.Pattern;

/**
 * By what a repeat of a request is known.
 *
 * @param key the caller's own name of the request: 1 to {@value #MAX_LENGTH} printable ASCII characters, not only blanks. It is
 *     one caller's key for one reference: others may use the same one
 * @param requestDigest of everything that the request says: a repeat has the same one
 */
public record Idempotency(String key, byte[] requestDigest) {

    /** The longest key, in characters. */
    public static final int MAX_LENGTH = 255;

    private static final Pattern PRINTABLE = Pattern.compile("[\\x20-\\x7e]*");

    /** @throws IllegalArgumentException with a message that tells what is wrong with the key, without the key itself */
    public Idempotency {
        if (key.isBlank()) {
            throw new IllegalArgumentException("must not be empty; leave it out to give none");
        }
        if (key.length() > MAX_LENGTH) {
            throw new IllegalArgumentException(
                    "has " + key.length() + " characters; give at most " + MAX_LENGTH + ", such as a UUID");
        }
        if (!PRINTABLE.matcher(key).matches()) {
            throw new IllegalArgumentException("has characters that are not printable ASCII; give a UUID, for example");
        }
    }
}
