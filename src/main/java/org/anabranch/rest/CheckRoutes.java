package org.anabranch.rest;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.quarkus.vertx.http.ManagementInterface;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.util.Locale;
import org.anabranch.service.CheckRepository;

/** The check of the repository, on the management port: docs/operations.md has its form. */
@Singleton
public final class CheckRoutes {

    public static final String PATH = "/admin/check";

    private final CheckRepository check;
    private final AdminAnswers answers;

    CheckRoutes(CheckRepository check, ObjectMapper json) {
        this.check = check;
        this.answers = new AdminAnswers(json);
    }

    void open(@Observes ManagementInterface management) {
        management.router().post(PATH).handler(this::start);
        management.router().get(PATH).handler(context -> answers.answer(context, 200, check.status()));
        management.router().delete(PATH).handler(this::end);
    }

    private void start(RoutingContext context) {
        String level =
                context.queryParams().contains("level") ? context.queryParams().get("level") : "full";
        boolean quick = level.toLowerCase(Locale.ROOT).equals("quick");
        if (!quick && !level.toLowerCase(Locale.ROOT).equals("full")) {
            answers.refuse(context, 400, "Bad Request", "level: '" + level + "' is neither 'quick' nor 'full'");
        } else if (quick ? check.startQuick() : check.startFull()) {
            answers.answer(context, 202, check.status());
        } else {
            answers.refuse(
                    context,
                    409,
                    "Conflict",
                    "A check is running already: GET " + PATH + " tells how far it is, DELETE " + PATH + " ends it");
        }
    }

    private void end(RoutingContext context) {
        check.end();
        answers.answer(context, 202, check.status());
    }
}
