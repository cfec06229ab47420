package org.anabranch.wiring;

import org.jspecify.annotations.Nullable;

/** A command could not be run. The message says why, and what to do, in a sentence. */
final class CommandFailedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    CommandFailedException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
