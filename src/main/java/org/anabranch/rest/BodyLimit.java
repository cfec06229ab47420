package org.anabranch.rest;

import java.time.Duration;

/**
 * What the body of one request may take.
 *
 * @param bytes on the wire, and again after decompression
 * @param time from its first byte to its last
 */
public record BodyLimit(long bytes, Duration time) {

    public BodyLimit {
        if (bytes < 1) {
            throw new IllegalArgumentException("A body has at least one byte");
        }
        if (time.toMillis() < 1) {
            throw new IllegalArgumentException("anabranch.limits.request-body-time must be a millisecond or more");
        }
    }
}
