package org.anabranch.rest;

import io.quarkus.vertx.http.ManagementInterface;
import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.ext.web.RoutingContext;
import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.regex.Pattern;
import org.jboss.logging.MDC;

/**
 * Gives every request an id: its own from the header {@code X-Request-Id} if that is well-formed, else a new one. The answer carries
 * it in the same header, whatever it is, and on the port of the API also lines of the log that are written meanwhile, under {@link
 * #MDC_KEY}.
 */
@Singleton
public final class RequestIds {

    public static final String HEADER = "X-Request-Id";

    /** Where formats of the log find it: {@code %X{requestId}}. */
    public static final String MDC_KEY = "requestId";

    /** Before everything else, so that every answer has one. */
    private static final int PRIORITY = 300;

    private static final int FIRST_OBSERVER = 1;

    /** Printable wherever an id may end up, and of a length that a log bears. */
    private static final Pattern WELL_FORMED = Pattern.compile("[A-Za-z0-9._:=+/-]{1,128}");

    private static final String KEY = RequestIds.class.getName();
    private static final String MADE_KEY = KEY + ".made";

    private final RequestIdSource ids;

    RequestIds(RequestIdSource ids) {
        this.ids = ids;
    }

    /** The id of a request. Others may have it too, because clients choose it. */
    public static String of(RoutingContext exchange) {
        return get(exchange, KEY);
    }

    /** An id that this request has alone, because it was made here. */
    static String madeFor(RoutingContext exchange) {
        return get(exchange, MADE_KEY);
    }

    private static String get(RoutingContext exchange, String key) {
        String id = exchange.get(key);
        return id == null ? "" : id;
    }

    void register(@Observes Filters filters) {
        filters.register(this::identify, PRIORITY);
    }

    /** Before the other observers, whose routes refuse requests. */
    void register(@Observes @Priority(FIRST_OBSERVER) ManagementInterface management) {
        management.router().route().order(Integer.MIN_VALUE).handler(exchange -> {
            give(exchange);
            exchange.next();
        });
    }

    private void identify(RoutingContext exchange) {
        // A request whose path is rewritten comes here twice.
        if (exchange.get(KEY) == null) {
            MDC.put(MDC_KEY, give(exchange));
        }
        exchange.next();
    }

    private String give(RoutingContext exchange) {
        String made = ids.next();
        String id = id(exchange.request().headers().getAll(HEADER), made);
        exchange.put(MADE_KEY, made);
        exchange.put(KEY, id);
        exchange.response().putHeader(HEADER, id);
        return id;
    }

    private static String id(List<String> given, String made) {
        return given.size() == 1 && WELL_FORMED.matcher(given.get(0)).matches() ? given.get(0) : made;
    }
}
