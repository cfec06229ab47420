package org.anabranch.rest;

import java.util.Set;

/**
 * What is asked of callers, beyond what the framework checks of a signed token.
 *
 * @param required whether callers must show a token at all
 * @param audience whom an opaque token must be for, one of these; empty if nobody in particular
 */
public record TokenRules(boolean required, Set<String> audience) {

    /** Nobody is asked. */
    public static final TokenRules NONE = new TokenRules(false, Set.of());

    public TokenRules {
        audience = Set.copyOf(audience);
    }
}
