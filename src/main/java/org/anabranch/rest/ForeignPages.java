package org.anabranch.rest;

import io.quarkus.vertx.http.ManagementInterface;
import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import org.anabranch.api.v2.ErrorBody;
import org.anabranch.rest.error.ErrorBodies;
import org.anabranch.security.Principal;

/**
 * Keeps the pages that a browser of this machine shows away from a service that answers this machine only and asks nobody who they
 * are: any page can make the browser send requests here, and one whose name is made to lead here can read the answers too. Such
 * requests name another site as their origin, or as their host.
 */
@Singleton
public final class ForeignPages {

    private static final int PRIORITY = 150;

    /** The names by which a machine calls itself, with or without a port. */
    private static final Pattern THIS_MACHINE =
            Pattern.compile("(localhost|127(\\.\\d{1,3}){3}|\\[::1]|\\[0:0:0:0:0:0:0:1])(:\\d*)?");

    /**
     * Which ports are to be kept from foreign pages.
     *
     * @param api whether the port of the API answers this machine only and asks nobody
     * @param isManagementLocal whether the management port, which asks nobody in any case, answers this machine only
     */
    public record Rules(boolean api, boolean isManagementLocal) {}

    private final Rules rules;
    private final EarlyAnswers answers;
    private final AuditTrail trail;

    ForeignPages(Rules rules, EarlyAnswers answers, AuditTrail trail) {
        this.rules = rules;
        this.answers = answers;
        this.trail = trail;
    }

    void register(@Observes Filters filters) {
        if (rules.api()) {
            filters.register(exchange -> check(exchange, true), PRIORITY);
        }
    }

    /** The framework lets pages of all sites call this port and read its answers. */
    void register(@Observes ManagementInterface management) {
        management.router().route().order(Integer.MIN_VALUE).handler(exchange -> {
            exchange.response().headers().remove(HttpHeaders.ACCESS_CONTROL_ALLOW_ORIGIN);
            check(exchange, rules.isManagementLocal());
        });
    }

    private void check(RoutingContext exchange, boolean isLocal) {
        refusal(exchange.request(), isLocal)
                .ifPresentOrElse(
                        refusal -> {
                            Audit.denied(trail, exchange, Principal.UNNAMED, refusal.message());
                            answers.end(exchange, refusal);
                        },
                        exchange::next);
    }

    private static Optional<ErrorBody> refusal(HttpServerRequest request, boolean isLocal) {
        String host = request.getHeader(HttpHeaders.HOST);
        if (isLocal && host != null && !isThisMachine(host)) {
            return Optional.of(ErrorBodies.foreignPage("Host", host));
        }
        String origin = request.getHeader(HttpHeaders.ORIGIN);
        if (origin != null
                && !origin.equalsIgnoreCase("http://" + host)
                && !origin.equalsIgnoreCase("https://" + host)) {
            return Optional.of(ErrorBodies.foreignPage("Origin", origin));
        }
        return Optional.empty();
    }

    private static boolean isThisMachine(String host) {
        return THIS_MACHINE.matcher(host.toLowerCase(Locale.ROOT)).matches();
    }
}
