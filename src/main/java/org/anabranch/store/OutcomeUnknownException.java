package org.anabranch.store;

/** A write was sent and its outcome is not known: it may have happened, happen later, or never happen. */
public class OutcomeUnknownException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public OutcomeUnknownException(String message, Throwable cause) {
        super(message, cause);
    }
}
