package org.anabranch.rest;

import io.quarkus.security.identity.SecurityIdentity;
import jakarta.enterprise.context.RequestScoped;
import org.anabranch.security.Access;
import org.anabranch.security.Policy;
import org.anabranch.security.Principal;
import org.jspecify.annotations.Nullable;

/** Who sent the request that is under way, and what they may do. */
@RequestScoped
public class Caller {

    private final SecurityIdentity identity;
    private final Policy policy;
    private @Nullable Access access;

    Caller(SecurityIdentity identity, Policy policy) {
        this.identity = identity;
        this.policy = policy;
    }

    /** The name that the caller's token gives; empty where nobody is asked who they are. */
    String name() {
        return identity.isAnonymous() ? "" : identity.getPrincipal().getName();
    }

    /** What the caller may do, by the rules that were in force when this was first asked in the request. */
    Access access() {
        if (access == null) {
            access = policy.of(new Principal(name(), identity.getRoles()));
        }
        return access;
    }
}
