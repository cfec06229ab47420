package org.anabranch.rest;

import io.quarkus.vertx.http.runtime.CurrentVertxRequest;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.SocketAddress;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.RequestScoped;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.anabranch.model.ContentKey;
import org.anabranch.model.ErrorCode;
import org.anabranch.model.RefSpec;
import org.anabranch.model.RefusedException;
import org.anabranch.rest.AuditEntry.Effect;
import org.anabranch.rest.AuditEntry.Event;
import org.anabranch.rest.AuditEntry.Outcome;
import org.anabranch.rest.AuditEntry.Request;
import org.anabranch.rest.error.ErrorMappers;
import org.anabranch.security.Principal;
import org.anabranch.service.GetConfig;
import org.jspecify.annotations.Nullable;

/** Keeps a trail of the request that is under way, if it is a write or is not allowed. */
@RequestScoped
public class Audit {

    private final AuditTrail trail;
    private final Caller caller;
    private final CurrentVertxRequest current;
    private final GetConfig repository;
    private @Nullable Request write;

    Audit(AuditTrail trail, Caller caller, CurrentVertxRequest current, GetConfig repository) {
        this.trail = trail;
        this.caller = caller;
        this.current = current;
        this.repository = repository;
    }

    /**
     * A write, and what it changes.
     *
     * @param operation a word for it
     * @param reference that it is to change; null if none
     * @param keys that it names
     */
    record Write(String operation, @Nullable RefSpec reference, Collection<ContentKey> keys) {

        String referenceName() {
            return reference == null ? "" : reference.name() == null ? "DETACHED" : reference.name();
        }
    }

    /**
     * How a write ended.
     *
     * @param reference that was changed, by its own name; empty if none
     * @param keys that were changed
     */
    record Ending(String reference, Collection<ContentKey> keys, Effect effect) {}

    /**
     * Tries a write, with an entry in the trail before and after it.
     *
     * @param ending of what is answered
     * @throws RefusedException 503 if the entry before cannot be kept: then the write is not tried; or as the write throws
     */
    <T> T write(Write what, Supplier<T> attempt, Function<T, Ending> ending) {
        if (!trail.isOn()) {
            return attempt.get();
        }
        Request request = begin(what);
        trail.intend(request);
        T answer;
        try {
            answer = attempt.get();
        } catch (RefusedException refusal) {
            if (refusal.code() != ErrorCode.FORBIDDEN && refusal.denial() == null) {
                trail.record(Event.WRITE, request, Effect.of(outcome(refusal.code()), refusal.getMessage()));
            }
            throw refusal;
        } catch (RuntimeException | Error failure) {
            trail.record(
                    Event.WRITE,
                    request,
                    Effect.of(outcome(failure), failure.getClass().getSimpleName()));
            throw failure;
        }
        Ending ended = ending.apply(answer);
        trail.record(Event.WRITE, request.of(ownName(ended.reference()), ended.keys()), ended.effect());
        return answer;
    }

    /** Tries a write that has no effect: it leaves a trail only if it is not allowed. */
    <T> T rehearse(Write what, Supplier<T> attempt) {
        if (trail.isOn()) {
            begin(what);
        }
        return attempt.get();
    }

    /** Whoever looks for a branch finds all that was done to it, also what requests called {@code -}. */
    private String ownName(String reference) {
        return reference.equals("-") ? repository.get().defaultBranch() : reference;
    }

    private Request begin(Write what) {
        Principal principal = caller.access().caller();
        Request request = request(current.getCurrent(), principal.name(), principal.roles(), what.operation())
                .of(ownName(what.referenceName()), what.keys());
        write = request;
        return request;
    }

    /** Says that the request was not allowed. */
    void denied(Outcome outcome, String message) {
        if (trail.isOn()) {
            Principal principal = caller.access().caller();
            RoutingContext exchange = current.getCurrent();
            Request request =
                    write == null ? request(exchange, principal.name(), principal.roles(), line(exchange)) : write;
            trail.record(Event.DENIAL, request, Effect.of(outcome, message));
        }
    }

    /** Says that nobody knows whose request it is. */
    static void unauthenticated(AuditTrail trail, RoutingContext exchange) {
        if (trail.isOn()) {
            trail.record(
                    Event.DENIAL,
                    request(exchange, "", List.of(), line(exchange)),
                    Effect.of(Outcome.UNAUTHENTICATED, ""));
        }
    }

    /** What an operator asks of the management port. */
    static Request byOperator(RoutingContext exchange, String operation) {
        Principal caller = AdminDoor.caller(exchange);
        return request(exchange, caller.name(), caller.roles(), operation);
    }

    /** Says that a request which no resource sees was not allowed. */
    static void denied(AuditTrail trail, RoutingContext exchange, Principal principal, String message) {
        if (trail.isOn()) {
            trail.record(
                    Event.DENIAL,
                    request(exchange, principal.name(), principal.roles(), line(exchange)),
                    Effect.of(Outcome.DENIED, message));
        }
    }

    private static Outcome outcome(ErrorCode code) {
        return switch (code) {
            case REFERENCE_CONFLICT, REFERENCE_ALREADY_EXISTS -> Outcome.CONFLICT;
            default -> Outcome.REFUSED;
        };
    }

    private static Outcome outcome(Throwable failure) {
        return ErrorMappers.isUndecided(failure) ? Outcome.UNDECIDED : Outcome.FAILED;
    }

    private static String line(RoutingContext exchange) {
        return exchange.request().method() + " " + exchange.request().path();
    }

    private static Request request(RoutingContext exchange, String user, Collection<String> roles, String operation) {
        HttpServerRequest request = exchange.request();
        String client = address(request.remoteAddress());
        String connection = address(request.connection().remoteAddress());
        String agent = request.getHeader("User-Agent");
        return new Request(
                RequestIds.madeFor(exchange),
                RequestIds.of(exchange),
                user,
                List.copyOf(roles),
                operation,
                "",
                List.of(),
                0,
                client,
                connection.equals(client) ? "" : connection,
                agent == null ? "" : agent);
    }

    private static String address(@Nullable SocketAddress address) {
        if (address == null) {
            return "";
        }
        String ip = address.hostAddress();
        String host = ip == null ? address.host() : ip;
        return host == null ? "" : host;
    }
}
