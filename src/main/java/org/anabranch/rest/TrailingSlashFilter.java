package org.anabranch.rest;

import jakarta.ws.rs.NotFoundException;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.container.PreMatching;
import jakarta.ws.rs.ext.Provider;
import java.util.Set;
import org.anabranch.api.v2.Paths;

/**
 * Keeps the framework from reading {@code contents/} as {@code contents}: a slash at the end would be an empty key, which names
 * nothing. The short paths take one.
 */
@Provider
@PreMatching
public final class TrailingSlashFilter implements ContainerRequestFilter {

    private static final Set<String> TAKES_ONE = Set.of(Paths.BASE + "/config/", Paths.BASE + "/trees/");

    @Override
    public void filter(ContainerRequestContext request) {
        String path = request.getUriInfo().getRequestUri().getRawPath();
        if (path.endsWith("/") && !TAKES_ONE.contains(path)) {
            throw new NotFoundException();
        }
    }
}
