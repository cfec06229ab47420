package org.anabranch.rest;

import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.regex.Pattern;
import org.jboss.logging.MDC;

/**
 * Gives every request on the port of the API an id: its own from the header {@code X-Request-Id} if that is well-formed, else a new
 * one. The answer carries it in the same header, whatever it is, and lines of the log that are written meanwhile under {@link
 * #MDC_KEY}.
 */
@Singleton
public final class RequestIds {

    public static final String HEADER = "X-Request-Id";

    /** Where formats of the log find it: {@code %X{requestId}}. */
    public static final String MDC_KEY = "requestId";

    /** Before everything else, so that every answer has one. */
    private static final int PRIORITY = 300;

    /** Printable wherever an id may end up, and of a length that a log bears. */
    private static final Pattern WELL_FORMED = Pattern.compile("[A-Za-z0-9._:=+/-]{1,128}");

    private static final String KEY = RequestIds.class.getName();

    private final RequestIdSource ids;

    RequestIds(RequestIdSource ids) {
        this.ids = ids;
    }

    /** The id of a request. */
    public static String of(RoutingContext exchange) {
        String id = exchange.get(KEY);
        return id == null ? "" : id;
    }

    void register(@Observes Filters filters) {
        filters.register(this::identify, PRIORITY);
    }

    private void identify(RoutingContext exchange) {
        // A request whose path is rewritten comes here twice.
        if (exchange.get(KEY) == null) {
            String id = id(exchange.request().headers().getAll(HEADER));
            exchange.put(KEY, id);
            exchange.response().putHeader(HEADER, id);
            MDC.put(MDC_KEY, id);
        }
        exchange.next();
    }

    private String id(List<String> given) {
        return given.size() == 1 && WELL_FORMED.matcher(given.get(0)).matches() ? given.get(0) : ids.next();
    }
}
