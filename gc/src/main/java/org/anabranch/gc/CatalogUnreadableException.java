package org.anabranch.gc;

import org.jspecify.annotations.Nullable;

/** The catalog's server does not answer, refuses, or answers what cannot be understood. Nothing may be concluded from silence. */
public final class CatalogUnreadableException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** @param message names the request, what came back, and where there is one the remedy */
    public CatalogUnreadableException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
