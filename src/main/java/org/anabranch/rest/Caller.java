package org.anabranch.rest;

import io.quarkus.security.identity.SecurityIdentity;
import jakarta.enterprise.context.RequestScoped;

/** Who sent the request that is under way. */
@RequestScoped
public class Caller {

    private final SecurityIdentity identity;

    Caller(SecurityIdentity identity) {
        this.identity = identity;
    }

    /** The name that the caller's token gives; empty where nobody is asked who they are. */
    String name() {
        return identity.isAnonymous() ? "" : identity.getPrincipal().getName();
    }
}
