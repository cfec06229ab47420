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
    private final ObjectMapper json;

    public RunRoutes(String path, BackgroundRun<M, ?, ?> run, Class<M> modes, ObjectMapper json) {
        this.path = path;
        this.run = run;
        this.modes = modes;
        this.json = json;
    }

    /** As it stands in requests. */
    public static String text(Enum<?> mode) {
        return mode.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    public void open(Router router) {
        router.post(path).handler(this::start);
        router.get(path).handler(context -> answer(context, 200, run.status()));
        router.delete(path).handler(this::end);
    }

    private void start(RoutingContext context) {
        String wanted = context.queryParams().get("mode");
        Optional<M> mode = Arrays.stream(modes.getEnumConstants())
                .filter(each -> wanted == null || wanted.equals(text(each)))
                .findFirst();
        if (mode.isEmpty()) {
            String known = Arrays.stream(modes.getEnumConstants())
                    .map(each -> "'" + text(each) + "'")
                    .collect(Collectors.joining(" or "));
            refuse(context, 400, "Bad Request", "mode: '" + wanted + "' is not " + known);
        } else if (run.start(mode.get())) {
            answer(context, 202, run.status());
        } else {
            refuse(
                    context,
                    409,
                    "Conflict",
                    "A run is under way already: GET " + path + " tells how far it is, DELETE " + path + " ends it");
        }
    }

    private void end(RoutingContext context) {
        run.end();
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
