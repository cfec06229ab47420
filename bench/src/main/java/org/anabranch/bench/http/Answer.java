package org.anabranch.bench.http;

import java.nio.charset.StandardCharsets;

/**
 * An answer to one request. Its bytes are the connection's and good until the next request.
 *
 * @param status of HTTP
 * @param buffer holds the body from its start
 * @param length of the body in bytes
 */
public record Answer(int status, byte[] buffer, int length) {

    private static final byte[] HASH = "\"hash\"".getBytes(StandardCharsets.US_ASCII);

    public boolean ok() {
        return status >= 200 && status < 300;
    }

    public String text() {
        return new String(buffer, 0, length, StandardCharsets.UTF_8);
    }

    /**
     * The value of the first property {@code hash} in the body, found without parsing the rest.
     *
     * @throws IllegalStateException there is none
     */
    public String hash() {
        for (int i = 0; i + HASH.length < length; i++) {
            if (startsAt(i)) {
                int from = quoteFrom(i + HASH.length) + 1;
                return new String(buffer, from, quoteFrom(from) - from, StandardCharsets.US_ASCII);
            }
        }
        throw new IllegalStateException("no hash in: " + text());
    }

    private boolean startsAt(int offset) {
        for (int i = 0; i < HASH.length; i++) {
            if (buffer[offset + i] != HASH[i]) {
                return false;
            }
        }
        return true;
    }

    private int quoteFrom(int offset) {
        for (int i = offset; i < length; i++) {
            if (buffer[i] == '"') {
                return i;
            }
        }
        throw new IllegalStateException("no string behind the hash in: " + text());
    }
}
