package org.anabranch.wiring;

import org.jspecify.annotations.Nullable;

/** A check could not be run. The message says why, and what to do, in a sentence. */
final class CheckFailedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    CheckFailedException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
