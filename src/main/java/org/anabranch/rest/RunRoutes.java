package org.anabranch.rest;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.anabranch.rest.AuditEntry.Effect;
import org.anabranch.rest.AuditEntry.Outcome;
import org.anabranch.rest.AuditEntry.Request;
import org.anabranch.service.BackgroundRun;

/**
 * A task on the whole store, on the management port: POST starts a run, GET tells how far it is, DELETE ends it. docs/operations.md
 * has the form.
 *
 * @param <M> what a run may do, the default first
 */
public final class RunRoutes<M extends Enum<M>> {

    private final String path;
    private final BackgroundRun<M, ?, ?> run;
    private final Class<M> modes;
    private final OperatorTrail trail;
    private final ObjectMapper json;

    /** @param path whose last element is what the trail calls a run */
    public RunRoutes(String path, BackgroundRun<M, ?, ?> run, Class<M> modes, OperatorTrail trail, ObjectMapper json) {
        this.path = path;
        this.run = run;
        this.modes = modes;
        this.trail = trail;
        this.json = json;
    }

    /** As it stands in requests. */
    public static String text(Enum<?> mode) {
        return mode.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    public void open(Router router) {
        String operation = path.substring(path.lastIndexOf('/') + 1);
        router.post(path).handler(context -> trail.attempt(context, operation, request -> start(context, request)));
        router.get(path).handler(context -> answer(context, 200, run.status()));
        router.delete(path)
                .handler(context -> trail.attempt(context, "end-" + operation, request -> end(context, request)));
    }

    private void start(RoutingContext context, Request request) {
        String wanted = context.queryParams().get("mode");
        Optional<M> mode = Arrays.stream(modes.getEnumConstants())
                .filter(each -> wanted == null || wanted.equals(text(each)))
                .findFirst();
        if (mode.isEmpty()) {
            String known = Arrays.stream(modes.getEnumConstants())
                    .map(each -> "'" + text(each) + "'")
                    .collect(Collectors.joining(" or "));
            String message = "mode: '" + wanted + "' is not " + known;
            trail.ended(request, Effect.of(Outcome.REFUSED, message));
            refuse(context, 400, "Bad Request", message);
        } else if (run.start(mode.get())) {
            trail.ended(request, Effect.of(Outcome.STARTED, "mode=" + text(mode.get())));
            answer(context, 202, run.status());
        } else {
            String message =
                    "A run is under way already: GET " + path + " tells how far it is, DELETE " + path + " ends it";
            trail.ended(request, Effect.of(Outcome.CONFLICT, message));
            refuse(context, 409, "Conflict", message);
        }
    }

    private void end(RoutingContext context, Request request) {
        run.end();
        trail.ended(request, Effect.of(Outcome.DONE, ""));
        answer(context, 202, run.status());
    }

    private void refuse(RoutingContext context, int status, String reason, String message) {
        answer(context, status, Map.of("status", status, "reason", reason, "message", message));
    }

    private void answer(RoutingContext context, int status, Object body) {
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
