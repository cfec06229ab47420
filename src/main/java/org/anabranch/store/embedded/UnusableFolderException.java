package org.anabranch.store.embedded;

import org.jspecify.annotations.Nullable;

/** A folder cannot be opened as a store. The message says which, why, and what to do, in one or two sentences. */
public class UnusableFolderException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    UnusableFolderException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
