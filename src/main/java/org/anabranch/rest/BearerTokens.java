package org.anabranch.rest;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.quarkus.oidc.OIDCException;
import io.quarkus.oidc.TokenIntrospection;
import io.quarkus.oidc.runtime.OidcAuthenticationMechanism;
import io.quarkus.security.AuthenticationFailedException;
import io.quarkus.security.identity.IdentityProviderManager;
import io.quarkus.security.identity.SecurityIdentity;
import io.quarkus.security.identity.request.AuthenticationRequest;
import io.quarkus.vertx.http.runtime.security.ChallengeData;
import io.quarkus.vertx.http.runtime.security.HttpAuthenticationMechanism;
import io.quarkus.vertx.http.runtime.security.HttpCredentialTransport;
import io.smallrye.mutiny.Uni;
import io.vertx.core.VertxException;
import io.vertx.ext.web.RoutingContext;
import jakarta.annotation.Priority;
import jakarta.enterprise.inject.Alternative;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.anabranch.rest.error.ErrorBodies;
import org.jboss.logging.Logger;

/**
 * Learns from bearer tokens who a caller is. The framework's mechanism judges the token; what it leaves open is settled here:
 *
 * <ul>
 *   <li>where nobody is asked, the header is ignored and no provider is asked either;
 *   <li>a token that names nobody, and an opaque one for another audience, are none;
 *   <li>a token that cannot be judged, because the provider does not answer, is answered 503 and not 401, so that clients come again
 *       instead of giving up.
 * </ul>
 */
@Alternative
@Priority(1)
@Singleton
public final class BearerTokens implements HttpAuthenticationMechanism {

    private static final Logger LOG = Logger.getLogger(BearerTokens.class);

    private static final String SCHEME = "Bearer";

    /** What reasons quote of a token, which is none of the log's business: parts in base64, of which the first is JSON. */
    private static final Pattern JWT = Pattern.compile("eyJ[\\w-]*(\\.[\\w-]*)+");

    private static final String UNJUDGED = BearerTokens.class.getName() + ".unjudged";

    /** Under which the framework leaves what the provider said about an opaque token. */
    private static final String INTROSPECTION = "introspection";

    /** Longer names than anybody has, which would be kept in every commit. */
    private static final int NAME_LENGTH = 500;

    private final TokenRules rules;
    private final OidcAuthenticationMechanism mechanism;
    private final EarlyAnswers answers;
    private final AuditTrail trail;

    /** Whether the provider did not answer when it was last needed, so that each silence is told once. */
    private final AtomicBoolean silence = new AtomicBoolean();

    BearerTokens(TokenRules rules, OidcAuthenticationMechanism mechanism, EarlyAnswers answers, AuditTrail trail) {
        this.rules = rules;
        this.mechanism = mechanism;
        this.answers = answers;
        this.trail = trail;
    }

    @Override
    public Uni<SecurityIdentity> authenticate(RoutingContext exchange, IdentityProviderManager identities) {
        if (!rules.required()) {
            return Uni.createFrom().nullItem();
        }
        return Uni.createFrom()
                .deferred(() -> mechanism.authenticate(exchange, identities))
                .onItem()
                .ifNotNull()
                .invoke(this::requireUsable)
                .onItem()
                .ifNotNull()
                .invoke(identity -> silence.set(false))
                .onFailure()
                .transform(failure -> refusal(failure, exchange));
    }

    private void requireUsable(SecurityIdentity identity) {
        String name = identity.getPrincipal().getName();
        if (name == null
                || name.isBlank()
                || name.length() > NAME_LENGTH
                || name.chars().anyMatch(Character::isISOControl)) {
            throw new AuthenticationFailedException("The token names nobody");
        }
        TokenIntrospection introspection = identity.getAttribute(INTROSPECTION);
        if (introspection != null && !rules.audience().isEmpty() && !isForUs(introspection)) {
            throw new AuthenticationFailedException("The token is for another audience");
        }
    }

    /** An audience is a text or a list of texts, and may be missing. */
    private boolean isForUs(TokenIntrospection introspection) {
        return switch (introspection.getJsonObject().get("aud")) {
            case jakarta.json.JsonString one -> rules.audience().contains(one.getString());
            case jakarta.json.JsonArray many ->
                many.stream()
                        .anyMatch(each -> each instanceof jakarta.json.JsonString text
                                && rules.audience().contains(text.getString()));
            case null, default -> false;
        };
    }

    private AuthenticationFailedException refusal(Throwable failure, RoutingContext exchange) {
        // The framework's mechanism has put itself here, and would answer.
        exchange.put(HttpAuthenticationMechanism.class.getName(), this);
        if (isOfProvider(failure)) {
            exchange.put(UNJUDGED, true);
            if (!silence.getAndSet(true)) {
                LOG.warnf(
                        "The provider of tokens does not answer (%s): tokens that need it are answered 503",
                        root(failure));
            }
        } else {
            LOG.debugf("A token is refused: %s", JWT.matcher(root(failure)).replaceAll("(token)"));
        }
        return new AuthenticationFailedException(failure);
    }

    /**
     * Whether the way to the provider failed, and not the token. The framework makes a {@link NullPointerException} of connections
     * that break while it asks about an opaque token.
     */
    private static boolean isOfProvider(Throwable failure) {
        return causes(failure)
                .anyMatch(cause -> cause instanceof OIDCException
                        || cause instanceof IOException
                        || cause instanceof VertxException
                        || cause instanceof NullPointerException
                        || cause instanceof TimeoutException
                        || cause instanceof io.smallrye.mutiny.TimeoutException);
    }

    private static String root(Throwable failure) {
        return causes(failure).reduce(failure, (outer, inner) -> inner).toString();
    }

    private static Stream<Throwable> causes(Throwable failure) {
        return Stream.iterate(failure, each -> each != null, Throwable::getCause);
    }

    @Override
    public Uni<Boolean> sendChallenge(RoutingContext exchange) {
        if (exchange.get(UNJUDGED) == null) {
            Audit.unauthenticated(trail, exchange);
            return HttpAuthenticationMechanism.super.sendChallenge(exchange);
        }
        answers.end(exchange, ErrorBodies.providerUnavailable());
        return Uni.createFrom().item(true);
    }

    @Override
    public Uni<ChallengeData> getChallenge(RoutingContext exchange) {
        return Uni.createFrom().item(new ChallengeData(401, HttpHeaderNames.WWW_AUTHENTICATE, SCHEME));
    }

    @Override
    public Set<Class<? extends AuthenticationRequest>> getCredentialTypes() {
        return mechanism.getCredentialTypes();
    }

    @Override
    public Uni<HttpCredentialTransport> getCredentialTransport(RoutingContext exchange) {
        return Uni.createFrom().item(new HttpCredentialTransport(HttpCredentialTransport.Type.AUTHORIZATION, SCHEME));
    }
}
