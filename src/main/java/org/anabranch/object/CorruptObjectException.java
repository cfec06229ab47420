package org.anabranch.object;

/** Stored bytes cannot be what was written: stop and look. */
public class CorruptObjectException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public CorruptObjectException(String message) {
        super(message);
    }
}
