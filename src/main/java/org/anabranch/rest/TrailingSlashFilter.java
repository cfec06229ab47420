package org.anabranch.rest;

import io.vertx.core.http.HttpServerRequest;
import jakarta.ws.rs.NotFoundException;
import java.util.Set;
import org.anabranch.api.v2.Paths;
import org.jboss.resteasy.reactive.server.ServerRequestFilter;

/**
 * Keeps the framework from reading {@code contents/} as {@code contents}: a slash at the end would be an empty key, which names
 * nothing. The short paths take one.
 */
public final class TrailingSlashFilter {

    private static final Set<String> TAKES_ONE = Set.of(Paths.BASE + "/config/", Paths.BASE + "/trees/");

    /** Looks at the path as it came, which the framework shows decoded, or with a host that not every request has. */
    @ServerRequestFilter(preMatching = true)
    public void filter(HttpServerRequest request) {
        String path = request.path();
        if (path != null && path.endsWith("/") && !TAKES_ONE.contains(path)) {
            throw new NotFoundException();
        }
    }
}
