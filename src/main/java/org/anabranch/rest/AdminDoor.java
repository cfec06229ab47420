package org.anabranch.rest;

import io.quarkus.security.identity.IdentityProviderManager;
import io.quarkus.security.identity.SecurityIdentity;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Singleton;
import org.anabranch.model.RefusedException;
import org.anabranch.rest.error.ErrorBodies;
import org.anabranch.security.Check;
import org.anabranch.security.Policy;
import org.anabranch.security.Principal;
import org.anabranch.security.Question;

/**
 * Stands before what the management port does for operators. Where rules are in force, whoever asks shows the token that they would
 * show on the port of the API, and the rules decide; without rules everybody is let through.
 */
@Singleton
public final class AdminDoor {

    /** Before every other route. */
    private static final int FIRST = Integer.MIN_VALUE;

    /** Under which an exchange holds who it was that was let through. */
    private static final String CALLER = AdminDoor.class.getName();

    private final Policy policy;
    private final TokenRules tokens;
    private final BearerTokens mechanism;
    private final IdentityProviderManager identities;
    private final AuditTrail trail;
    private final EarlyAnswers answers;

    AdminDoor(
            Policy policy,
            TokenRules tokens,
            BearerTokens mechanism,
            IdentityProviderManager identities,
            AuditTrail trail,
            EarlyAnswers answers) {
        this.policy = policy;
        this.tokens = tokens;
        this.mechanism = mechanism;
        this.identities = identities;
        this.trail = trail;
        this.answers = answers;
    }

    /** Lets nobody to the routes of a path who may not. */
    public void guard(Router router, String path, Check check) {
        if (policy != Policy.NONE) {
            router.route(path).order(FIRST).handler(exchange -> ask(exchange, check));
        }
    }

    /** Who was let through; without a name where nobody is asked. */
    static Principal caller(RoutingContext exchange) {
        Principal caller = exchange.get(CALLER);
        return caller == null ? Principal.UNNAMED : caller;
    }

    private void ask(RoutingContext exchange, Check check) {
        // The framework may have read the body already; else it waits until the caller is known.
        if (!exchange.request().isEnded()) {
            exchange.request().pause();
        }
        identify(exchange)
                .subscribe()
                .with(principal -> decide(exchange, principal, check), unknown -> challenge(exchange));
    }

    /** Fails if the request has no token that counts, and one is asked for. */
    private Uni<Principal> identify(RoutingContext exchange) {
        if (!tokens.required()) {
            return Uni.createFrom().item(Principal.UNNAMED);
        }
        return mechanism
                .authenticate(exchange, identities)
                .onItem()
                .ifNull()
                .failWith(() -> new IllegalStateException("there is no token"))
                .map(AdminDoor::principal);
    }

    private static Principal principal(SecurityIdentity identity) {
        return new Principal(identity.getPrincipal().getName(), identity.getRoles());
    }

    private void decide(RoutingContext exchange, Principal principal, Check check) {
        try {
            policy.of(principal).require(Question.ofRepository(check));
        } catch (RefusedException refusal) {
            Audit.denied(trail, exchange, principal, refusal.getMessage());
            answers.end(exchange, ErrorBodies.forbidden(refusal.getMessage()));
            return;
        }
        exchange.put(CALLER, principal);
        if (!exchange.request().isEnded()) {
            exchange.request().resume();
        }
        exchange.next();
    }

    private void challenge(RoutingContext exchange) {
        mechanism.sendChallenge(exchange).subscribe().with(sent -> {
            if (!exchange.response().ended()) {
                exchange.response().end();
            }
        });
    }
}
