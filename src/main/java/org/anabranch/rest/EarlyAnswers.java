package org.anabranch.rest;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.util.concurrent.RejectedExecutionException;
import org.anabranch.api.v2.ErrorBody;
import org.anabranch.model.ErrorCode;
import org.anabranch.rest.RefusalListener.Reason;
import org.anabranch.rest.error.ErrorMappers;

/** Answers exchanges that no resource sees: those refused before one is looked for, and those that find no thread. */
@Singleton
public final class EarlyAnswers {

    private final ObjectMapper mapper;
    private final RefusalListener refusals;

    EarlyAnswers(ObjectMapper mapper, RefusalListener refusals) {
        this.mapper = mapper;
        this.refusals = refusals;
    }

    void register(@Observes Router router) {
        router.route().failureHandler(exchange -> {
            if (exchange.failure() instanceof RejectedExecutionException) {
                refusals.refused(Reason.THREADS);
                end(exchange, ErrorMappers.full());
            } else {
                exchange.next();
            }
        });
    }

    /** Answers; a 503 says when to send the request again. */
    void end(RoutingContext exchange, ErrorBody error) {
        HttpServerResponse response = exchange.response();
        if (error.errorCode() == ErrorCode.SERVICE_UNAVAILABLE) {
            response.putHeader(HttpHeaders.RETRY_AFTER, ErrorMappers.RETRY_AFTER_SECONDS);
        }
        try {
            response.setStatusCode(error.status())
                    .putHeader(HttpHeaders.CONTENT_TYPE, "application/json")
                    .end(Buffer.buffer(mapper.writeValueAsBytes(error)));
            // What is on its way is dropped as it arrives: closing instead would reset the connection under a client
            // that is still sending, which then never sees the answer.
            exchange.request().resume();
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("An error has no JSON form", e);
        }
    }
}
