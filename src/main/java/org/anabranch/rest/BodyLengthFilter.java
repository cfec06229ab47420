package org.anabranch.rest;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import org.anabranch.api.v2.ErrorBody;
import org.anabranch.rest.error.ErrorMappers;
import org.jspecify.annotations.Nullable;

/** Refuses a body that says itself that it is too large, before a byte of it is read and whatever path it is for. */
@Singleton
public final class BodyLengthFilter {

    /** Before the framework's own limit, which answers without a body. */
    private static final int PRIORITY = 100;

    private final BodyLimit limit;
    private final ObjectMapper mapper;

    BodyLengthFilter(BodyLimit limit, ObjectMapper mapper) {
        this.limit = limit;
        this.mapper = mapper;
    }

    void register(@Observes Filters filters) {
        filters.register(this::check, PRIORITY);
    }

    private void check(RoutingContext exchange) {
        if (length(exchange.request().getHeader(HttpHeaders.CONTENT_LENGTH)) <= limit.bytes()) {
            exchange.next();
            return;
        }
        ErrorBody error = ErrorMappers.tooLarge(limit.bytes());
        try {
            exchange.response()
                    .setStatusCode(error.status())
                    .putHeader(HttpHeaders.CONTENT_TYPE, "application/json")
                    .end(Buffer.buffer(mapper.writeValueAsBytes(error)));
            // What is on its way is dropped as it arrives: closing instead would reset the connection under a client
            // that is
            // still sending, which then never sees the answer.
            exchange.request().resume();
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("An error has no JSON form", e);
        }
    }

    private static long length(@Nullable String header) {
        // What is not a number was refused by the HTTP layer.
        return header == null ? 0 : Long.parseLong(header.trim());
    }
}
