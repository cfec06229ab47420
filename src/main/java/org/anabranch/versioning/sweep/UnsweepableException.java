package org.anabranch.versioning.sweep;

/** What references reach cannot be told, so nothing was deleted. The message says why, and what to do. */
public class UnsweepableException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    UnsweepableException(String message) {
        super(message);
    }
}
