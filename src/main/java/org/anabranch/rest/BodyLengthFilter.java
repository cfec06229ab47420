package org.anabranch.rest;

import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import org.anabranch.rest.error.ErrorBodies;
import org.jspecify.annotations.Nullable;

/** Refuses a body that says itself that it is too large, before a byte of it is read and whatever path it is for. */
@Singleton
public final class BodyLengthFilter {

    /** Before the framework's own limit, which answers without a body. */
    private static final int PRIORITY = 100;

    private final BodyLimit limit;
    private final EarlyAnswers answers;

    BodyLengthFilter(BodyLimit limit, EarlyAnswers answers) {
        this.limit = limit;
        this.answers = answers;
    }

    void register(@Observes Filters filters) {
        filters.register(this::check, PRIORITY);
    }

    private void check(RoutingContext exchange) {
        if (length(exchange.request().getHeader(HttpHeaders.CONTENT_LENGTH)) <= limit.bytes()) {
            exchange.next();
            return;
        }
        answers.end(exchange, ErrorBodies.tooLarge(limit.bytes()));
    }

    private static long length(@Nullable String header) {
        // What is not a number was refused by the HTTP layer.
        return header == null ? 0 : Long.parseLong(header.trim());
    }
}
