package org.anabranch.store.postgres;

import org.jspecify.annotations.Nullable;

/** A database cannot be opened as a store. The message says which, why, and what to do, in one or two sentences. */
public class UnusableDatabaseException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    UnusableDatabaseException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
