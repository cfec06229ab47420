package org.anabranch.rest;

import org.anabranch.api.ext.AccessApi;
import org.anabranch.api.ext.AccessResponse;

/** What a caller may see: everything, because there are no permissions that could hide something. */
public final class AccessResource implements AccessApi {

    @Override
    public AccessResponse access() {
        return new AccessResponse(true);
    }
}
