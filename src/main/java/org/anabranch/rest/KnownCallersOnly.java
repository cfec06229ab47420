package org.anabranch.rest;

import io.quarkus.security.identity.SecurityIdentity;
import io.quarkus.vertx.http.runtime.security.HttpSecurityPolicy;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Singleton;

/**
 * Where callers are asked who they are, nothing on the port of the API answers those who do not say: known paths and unknown ones
 * alike, apart from the API's own description, which is the same everywhere.
 */
@Singleton
public final class KnownCallersOnly implements HttpSecurityPolicy {

    private static final String DOCUMENT = "/q/openapi";
    private static final String PAGES = "/q/swagger-ui";

    private final TokenRules rules;

    KnownCallersOnly(TokenRules rules) {
        this.rules = rules;
    }

    @Override
    public Uni<CheckResult> checkPermission(
            RoutingContext exchange, Uni<SecurityIdentity> identity, AuthorizationRequestContext context) {
        if (!rules.required() || isDescription(exchange.normalizedPath())) {
            return CheckResult.permit();
        }
        return identity.map(caller -> caller.isAnonymous() ? CheckResult.DENY : CheckResult.PERMIT);
    }

    private static boolean isDescription(String path) {
        return path.equals(DOCUMENT) || path.equals(PAGES) || path.startsWith(PAGES + "/");
    }
}
