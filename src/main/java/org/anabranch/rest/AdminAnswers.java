package org.anabranch.rest;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.vertx.ext.web.RoutingContext;
import java.util.Map;

/** Answers of the management port as JSON. */
final class AdminAnswers {

    private final ObjectMapper json;

    AdminAnswers(ObjectMapper json) {
        this.json = json;
    }

    void refuse(RoutingContext context, int status, String reason, String message) {
        answer(context, status, Map.of("status", status, "reason", reason, "message", message));
    }

    void answer(RoutingContext context, int status, Object body) {
        String text;
        try {
            text = json.writeValueAsString(body);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
        context.response()
                .setStatusCode(status)
                .putHeader("Content-Type", "application/json")
                .end(text);
    }
}
