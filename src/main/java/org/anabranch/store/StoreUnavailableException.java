package org.anabranch.store;

import org.jspecify.annotations.Nullable;

/** The store cannot be reached or refuses to work now. Nothing was changed by the failed call; try later. */
public class StoreUnavailableException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public StoreUnavailableException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
