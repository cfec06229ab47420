package org.anabranch.api.client;

import java.net.URI;
import org.jspecify.annotations.Nullable;

/** A request that did not get a usable answer, however often it was sent. */
public final class ApiFailure extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final int status;

    /**
     * @param status of the last answer; 0 when there was none
     * @param reason what the server or the network said
     */
    ApiFailure(URI request, int status, String reason, @Nullable Throwable cause) {
        super("GET " + request + (status == 0 ? " failed: " : " was answered " + status + ": ") + reason, cause);
        this.status = status;
    }

    /** Of the last answer; 0 when there was none. */
    public int status() {
        return status;
    }
}
