package org.anabranch.rest.error;

/** The body of a request is larger than the server takes; the rest of it was not read. */
public class BodyTooLargeException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final long limitBytes;

    public BodyTooLargeException(long limitBytes) {
        super("The body of the request is too large");
        this.limitBytes = limitBytes;
    }

    public long limitBytes() {
        return limitBytes;
    }
}
