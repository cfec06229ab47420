package org.anabranch.versioning.transfer.peer;

import org.jspecify.annotations.Nullable;

/** What another server has cannot be read, understood, or kept here. The message says what, and in which commit or reference. */
public class PeerException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    PeerException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
