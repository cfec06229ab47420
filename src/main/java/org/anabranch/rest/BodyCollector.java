package org.anabranch.rest;

import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.impl.RoutingContextInternal;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import org.anabranch.api.v2.ErrorBody;
import org.anabranch.model.RefusedException;
import org.anabranch.rest.error.ErrorBodies;

/**
 * Takes bodies in as they arrive and passes a request on when its body is whole. So a client that sends slowly occupies no thread,
 * only its share of the {@link BodyBudget}, and that for no longer than the {@link BodyLimit} says.
 */
@Singleton
public final class BodyCollector {

    /** After the caller is known, and after paths are rewritten, which begins the filters anew. */
    private static final int PRIORITY = 80;

    private static final Buffer NOTHING_LEFT = Buffer.buffer();

    private final BodyLimit limit;
    private final BodyBudget budget;
    private final RefusalListener refusals;
    private final EarlyAnswers answers;

    BodyCollector(BodyLimit limit, BodyBudget budget, RefusalListener refusals, EarlyAnswers answers) {
        this.limit = limit;
        this.budget = budget;
        this.refusals = refusals;
        this.answers = answers;
    }

    void register(@Observes Filters filters) {
        filters.register(this::collect, PRIORITY);
    }

    private void collect(RoutingContext exchange) {
        String encoding = exchange.request().getHeader(HttpHeaders.TRANSFER_ENCODING);
        if (encoding != null && !encoding.trim().equalsIgnoreCase("chunked")) {
            // Where such a body ends, nobody says.
            exchange.addEndHandler(ended -> exchange.request().connection().close());
            answers.end(exchange, ErrorBodies.unknownTransfer(encoding));
        } else if (hasBody(exchange.request())) {
            new Arrival(exchange).begin();
        } else {
            exchange.next();
        }
    }

    private static boolean hasBody(HttpServerRequest request) {
        String length = request.getHeader(HttpHeaders.CONTENT_LENGTH);
        return request.headers().contains(HttpHeaders.TRANSFER_ENCODING)
                || length != null && !length.trim().equals("0");
    }

    /** One body on its way. All of it happens on the thread of its connection. */
    private final class Arrival {

        private final RoutingContext exchange;
        private final HttpServerRequest request;
        private final ReceivedBody body = new ReceivedBody(budget, refusals);
        private long timer;
        private boolean over;

        Arrival(RoutingContext exchange) {
            this.exchange = exchange;
            this.request = exchange.request();
        }

        void begin() {
            exchange.addEndHandler(ended -> {
                stop();
                body.end();
            });
            timer = exchange.vertx().setTimer(limit.time().toMillis(), fired -> tooSlow());
            request.handler(this::take);
            request.endHandler(ended -> whole());
            HttpServerResponse response = exchange.response();
            if (request.headers().contains(HttpHeaders.EXPECT, HttpHeaders.CONTINUE, true)) {
                response.writeContinue();
            }
            request.resume();
        }

        private void take(Buffer part) {
            if (over) {
                return;
            }
            if (body.size() + part.length() > limit.bytes()) {
                refuse(ErrorBodies.tooLarge(limit.bytes()));
                return;
            }
            try {
                body.add(part);
            } catch (RefusedException full) {
                refuse(ErrorBodies.of(full));
            }
        }

        private void whole() {
            if (over) {
                return;
            }
            stop();
            body.attachTo(exchange);
            // The framework is not to look for the body where it came from.
            ((RoutingContextInternal) exchange).setBody(NOTHING_LEFT);
            exchange.next();
        }

        private void refuse(ErrorBody error) {
            stop();
            body.end();
            answers.end(exchange, error);
        }

        private void tooSlow() {
            if (!over) {
                exchange.response().putHeader(HttpHeaders.CONNECTION, HttpHeaders.CLOSE);
                exchange.addEndHandler(ended -> request.connection().close());
                refuse(ErrorBodies.tooSlow(limit.time()));
            }
        }

        private void stop() {
            over = true;
            exchange.vertx().cancelTimer(timer);
        }
    }
}
