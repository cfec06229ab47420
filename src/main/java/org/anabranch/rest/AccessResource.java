package org.anabranch.rest;

import org.anabranch.api.ext.AccessApi;
import org.anabranch.api.ext.AccessResponse;

/** What a caller may see. */
public final class AccessResource implements AccessApi {

    private final Caller caller;

    AccessResource(Caller caller) {
        this.caller = caller;
    }

    @Override
    public AccessResponse access() {
        return new AccessResponse(caller.access().readsEverything());
    }
}
