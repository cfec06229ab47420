package org.anabranch.rest;

/** How large the body of a request may be, in bytes after decompression. */
public record BodyLimit(long bytes) {

    public BodyLimit {
        if (bytes < 1) {
            throw new IllegalArgumentException("A body has at least one byte");
        }
    }
}
