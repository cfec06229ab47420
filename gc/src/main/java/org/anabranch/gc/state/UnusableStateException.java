package org.anabranch.gc.state;

import org.jspecify.annotations.Nullable;

/** The state folder cannot be used. The message says why and what to do. */
public final class UnusableStateException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public UnusableStateException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
