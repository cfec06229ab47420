package org.anabranch.rest;

import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.core.MultivaluedMap;
import jakarta.ws.rs.ext.Provider;
import jakarta.ws.rs.ext.ReaderInterceptor;
import jakarta.ws.rs.ext.ReaderInterceptorContext;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Refuses queries and bodies that ask for too much at once, whichever resource they are for. */
@Provider
public final class LimitedRequests implements ContainerRequestFilter, ReaderInterceptor {

    /** Asked for late, because the framework makes filters before there is a configuration. */
    private final jakarta.inject.Provider<RequestLimits> limits;

    public LimitedRequests(jakarta.inject.Provider<RequestLimits> limits) {
        this.limits = limits;
    }

    @Override
    public void filter(ContainerRequestContext request) {
        MultivaluedMap<String, String> query = request.getUriInfo().getQueryParameters();
        limits.get().requireKeys("key", query.getOrDefault("key", List.of()));
        query.getOrDefault("max-records", List.of()).forEach(limits.get()::requirePage);
    }

    @Override
    public @Nullable Object aroundReadFrom(ReaderInterceptorContext context) throws IOException {
        Object body = context.proceed();
        if (body != null) {
            limits.get().requireModest(body);
        }
        return body;
    }
}
