package org.anabranch.rest.error;

/** A write may have happened, or may still: the request must not simply be sent again. */
public final class UndecidedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** @param message tells the client what to look at */
    public UndecidedException(String message) {
        super(message);
    }
}
