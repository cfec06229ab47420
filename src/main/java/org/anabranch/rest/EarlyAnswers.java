package org.anabranch.rest;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.quarkus.security.AuthenticationException;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.util.concurrent.RejectedExecutionException;
import org.anabranch.api.v2.ErrorBody;
import org.anabranch.rest.RefusalListener.Reason;
import org.anabranch.rest.error.ErrorBodies;
import org.jboss.logging.Logger;

/** Answers exchanges that no resource sees: those refused before one is looked for, and those that find no thread. */
@Singleton
public final class EarlyAnswers {

    private static final Logger LOG = Logger.getLogger(EarlyAnswers.class);

    private final ObjectMapper mapper;
    private final RefusalListener refusals;

    EarlyAnswers(ObjectMapper mapper, RefusalListener refusals) {
        this.mapper = mapper;
        this.refusals = refusals;
    }

    void register(@Observes Router router) {
        router.route().failureHandler(this::fail);
    }

    /** Without this the framework answers, in other forms, and with what failed where it is told to. */
    private void fail(RoutingContext exchange) {
        Throwable failure = exchange.failure();
        if (failure instanceof SecurityException || failure instanceof AuthenticationException) {
            // A caller whom the framework does not let in, which answers that itself.
            exchange.next();
        } else if (exchange.response().headWritten()) {
            exchange.request().connection().close();
        } else if (failure instanceof RejectedExecutionException) {
            refusals.refused(Reason.THREADS);
            end(exchange, ErrorBodies.full());
        } else {
            if (exchange.statusCode() >= 500 && !(failure instanceof IOException)) {
                LOG.error("A request failed", failure);
            }
            end(exchange, ErrorBodies.ofHttp(exchange.statusCode()));
        }
    }

    /** Answers, with a time to send the request again if that may help. */
    void end(RoutingContext exchange, ErrorBody error) {
        HttpServerResponse response = exchange.response();
        ErrorBodies.retryAfter(error).ifPresent(seconds -> response.putHeader(HttpHeaders.RETRY_AFTER, seconds));
        try {
            response.setStatusCode(error.status())
                    .putHeader(HttpHeaders.CONTENT_TYPE, "application/json")
                    .end(Buffer.buffer(mapper.writeValueAsBytes(error)));
            // What is on its way is dropped as it arrives: closing instead would reset the connection under a client
            // that is still sending, which then never sees the answer.
            if (!exchange.request().isEnded()) {
                exchange.request().resume();
            }
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("An error has no JSON form", e);
        }
    }
}
