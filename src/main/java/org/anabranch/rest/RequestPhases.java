package org.anabranch.rest;

import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Provider;
import jakarta.ws.rs.Priorities;
import org.jboss.resteasy.reactive.server.ServerRequestFilter;
import org.jboss.resteasy.reactive.server.ServerResponseFilter;

/** Tells {@link SlowRequests} when a thread takes a request up, and when there is an answer. */
public final class RequestPhases {

    /** Asked for late, because the framework makes filters before there is a configuration. */
    private final Provider<SlowRequests> requests;

    RequestPhases(Provider<SlowRequests> requests) {
        this.requests = requests;
    }

    /** The first of all filters. */
    @ServerRequestFilter(priority = Priorities.AUTHENTICATION - 1)
    public void begin(RoutingContext exchange) {
        requests.get().begun(exchange);
    }

    @ServerResponseFilter
    public void answer() {
        requests.get().answered();
    }
}
