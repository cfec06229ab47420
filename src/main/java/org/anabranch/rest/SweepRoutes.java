package org.anabranch.rest;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.quarkus.vertx.http.ManagementInterface;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.util.Optional;
import org.anabranch.service.SweepStore;

/** The sweep of the store, on the management port: docs/operations.md has its form. */
@Singleton
public final class SweepRoutes {

    public static final String PATH = "/admin/sweep";

    private final SweepStore sweep;
    private final AdminAnswers answers;

    SweepRoutes(SweepStore sweep, ObjectMapper json) {
        this.sweep = sweep;
        this.answers = new AdminAnswers(json);
    }

    void open(@Observes ManagementInterface management) {
        management.router().post(PATH).handler(this::start);
        management.router().get(PATH).handler(context -> answers.answer(context, 200, sweep.status()));
        management.router().delete(PATH).handler(this::end);
    }

    private void start(RoutingContext context) {
        String dryRun =
                Optional.ofNullable(context.queryParams().get("dry-run")).orElse("false");
        if (!dryRun.equals("true") && !dryRun.equals("false")) {
            answers.refuse(context, 400, "Bad Request", "dry-run: '" + dryRun + "' is neither 'true' nor 'false'");
        } else if (dryRun.equals("true") ? sweep.startDryRun() : sweep.startSweep()) {
            answers.answer(context, 202, sweep.status());
        } else {
            answers.refuse(
                    context,
                    409,
                    "Conflict",
                    "A sweep is running already: GET " + PATH + " tells how far it is, DELETE " + PATH + " ends it");
        }
    }

    private void end(RoutingContext context) {
        sweep.end();
        answers.answer(context, 202, sweep.status());
    }
}
