package org.anabranch.rest;

import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Singleton;
import java.util.function.Consumer;
import org.anabranch.model.RefusedException;
import org.anabranch.rest.AuditEntry.Effect;
import org.anabranch.rest.AuditEntry.Event;
import org.anabranch.rest.AuditEntry.Request;
import org.anabranch.rest.error.ErrorBodies;

/** Keeps a trail of what operators ask of the management port, as {@link Audit} does of writes. */
@Singleton
public final class OperatorTrail {

    private final AuditTrail trail;
    private final EarlyAnswers answers;

    OperatorTrail(AuditTrail trail, EarlyAnswers answers) {
        this.trail = trail;
        this.answers = answers;
    }

    /**
     * Tries what an operator asks for, with an entry in the trail before it; without one that can be kept it is answered 503, and not
     * tried.
     *
     * @param operation a word for it
     * @param attempt sees to it that the request's {@linkplain #ended end} is told
     */
    void attempt(RoutingContext exchange, String operation, Consumer<Request> attempt) {
        Request request = Audit.byOperator(exchange, operation);
        try {
            trail.intend(request);
        } catch (RefusedException refusal) {
            answers.end(exchange, ErrorBodies.of(refusal));
            return;
        }
        attempt.accept(request);
    }

    /** Says how the request ended. */
    void ended(Request request, Effect effect) {
        trail.record(Event.ADMIN, request, effect);
    }
}
