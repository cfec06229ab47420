package org.anabranch.rest;

import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import org.anabranch.rest.RefusalListener.Reason;
import org.anabranch.rest.error.ErrorBodies;

/** Refuses requests that arrive while the service ends, and sends their clients to other connections. Safe from many threads. */
@Singleton
public final class Departure {

    /** Before everything else, so that an ending service begins nothing. */
    private static final int PRIORITY = 200;

    private final EarlyAnswers answers;
    private final RefusalListener refusals;
    private volatile boolean begun;

    Departure(EarlyAnswers answers, RefusalListener refusals) {
        this.answers = answers;
        this.refusals = refusals;
    }

    /** From now on every request is answered 503, on a connection that ends with it. */
    public void begin() {
        begun = true;
    }

    void register(@Observes Filters filters) {
        filters.register(this::check, PRIORITY);
    }

    private void check(RoutingContext exchange) {
        if (!begun) {
            exchange.next();
            return;
        }
        refusals.refused(Reason.ENDING);
        exchange.response().putHeader(HttpHeaders.CONNECTION, "close");
        answers.end(exchange, ErrorBodies.ending());
    }
}
