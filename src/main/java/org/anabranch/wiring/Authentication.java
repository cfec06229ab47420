package org.anabranch.wiring;

import io.quarkus.oidc.Oidc;
import io.quarkus.oidc.OidcTenantConfig;
import io.quarkus.oidc.OidcTenantConfigBuilder;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.anabranch.api.secret.SecretFile;
import org.anabranch.rest.TokenRules;
import org.anabranch.wiring.AnabranchConfig.Authentication.Type;
import org.eclipse.microprofile.config.Config;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** Turns the configuration into the framework's settings of a provider, and keeps a service that asks nobody off the network. */
@Singleton
public final class Authentication {

    private static final Logger LOG = Logger.getLogger("anabranch");

    private static final String PROPERTY = "anabranch.authentication.";
    private static final String ANY = "any";

    /** A key that the provider has withdrawn is trusted that long, and up to a round more. */
    private static final Duration KEY_LIFETIME = Duration.ofMinutes(10);

    private static final Duration KEY_ROUND = Duration.ofMinutes(1);
    private static final int KEYS = 100;

    private final AnabranchConfig.Authentication config;
    private final String host;

    Authentication(AnabranchConfig config, Config settings) {
        this.config = config.authentication();
        this.host = settings.getValue("quarkus.http.host", String.class);
    }

    @Produces
    @Singleton
    TokenRules rules() {
        if (config.type() == Type.NONE) {
            return TokenRules.NONE;
        }
        Set<String> audience = new HashSet<>(audience());
        audience.remove(ANY);
        return new TokenRules(true, audience);
    }

    /** Called once, before the first port is open. */
    void describeProvider(@Observes Oidc framework) {
        if (config.type() == Type.NONE) {
            requireNothingOf(config.oidc());
            framework.create(new OidcTenantConfigBuilder().disableTenant().build());
        } else {
            framework.create(provider());
        }
    }

    /** @throws IllegalArgumentException the service would answer the network, and ask nobody who they are */
    void tell(@Observes StartupEvent event) {
        if (config.type() == Type.OIDC) {
            LOG.infof(
                    "Callers show a token of %s that is for %s",
                    config.oidc().provider().orElseThrow(), String.join(" or ", audience()));
        } else if (isLoopback(host)) {
            LOG.info("Nobody is asked who they are, and only this machine is answered");
        } else if (config.openToNetwork()) {
            LOG.warnf("Nobody is asked who they are: whoever reaches %s may read and write everything", host);
        } else {
            throw new IllegalArgumentException("on " + host
                    + " the service would be open to the network and ask nobody who"
                    + " they are: set " + PROPERTY + "type=oidc and a provider (docs/security.md), let it listen on"
                    + " 127.0.0.1, or say that this is meant with " + PROPERTY + "open-to-network=true");
        }
    }

    private OidcTenantConfig provider() {
        AnabranchConfig.Authentication.Oidc oidc = config.oidc();
        Optional<String> secret = secret(oidc);
        if (secret.isPresent() && oidc.clientId().isEmpty()) {
            throw missing("client-id", "the client that the secret is of");
        }
        OidcTenantConfigBuilder provider = OidcTenantConfig.authServerUrl(requireUri(oidc.provider()
                                .orElseThrow(() -> missing("provider", "the base address of the provider")))
                        .toString())
                .applicationType(io.quarkus.oidc.runtime.OidcTenantConfig.ApplicationType.SERVICE)
                // Each key is fetched when a token first names it, and again after its lifetime: so new ones are
                // known at once, and withdrawn ones are forgotten.
                .jwks()
                .resolveEarly(false)
                .cacheSize(KEYS)
                .cacheTimeToLive(KEY_LIFETIME)
                .cleanUpTimerInterval(KEY_ROUND)
                .end()
                .token()
                .audience(audience())
                .lifespanGrace(Math.toIntExact(oidc.clockSkew().toSeconds()))
                .allowJwtIntrospection(false)
                .allowOpaqueTokenIntrospection(secret.isPresent())
                .end();
        oidc.issuer().ifPresent(issuer -> provider.token().issuer(issuer).end());
        oidc.nameClaim()
                .ifPresent(claim -> provider.token().principalClaim(claim).end());
        oidc.roleClaim().ifPresent(path -> provider.roles().roleClaimPath(path).end());
        oidc.clientId().ifPresent(provider::clientId);
        secret.ifPresent(provider::credentials);
        oidc.authorities().ifPresent(file -> provider.tlsConfigurationName(TlsSettings.OF_PROVIDER));
        return provider.build();
    }

    private List<String> audience() {
        return config.oidc()
                .audience()
                .filter(audience -> !audience.isEmpty())
                .orElseThrow(() -> missing(
                        "audience",
                        "whom tokens must be for, or '" + ANY + "' to take the provider's tokens for everybody"));
    }

    private static URI requireUri(URI provider) {
        if (provider.getHost() == null || !List.of("http", "https").contains(provider.getScheme())) {
            throw new IllegalArgumentException(PROPERTY + "oidc.provider: '" + provider
                    + "' is no address such as https://idp.example/realms/lake");
        }
        if (provider.getScheme().equals("http") && !isLoopback(provider.getHost())) {
            LOG.warnf(
                    "The provider's keys come over plain HTTP from %s: whoever is in between can issue tokens. Give an https"
                            + " address.",
                    provider.getHost());
        }
        return provider;
    }

    private static Optional<String> secret(AnabranchConfig.Authentication.Oidc oidc) {
        if (oidc.clientSecretFile().isEmpty()) {
            return oidc.clientSecret();
        }
        if (oidc.clientSecret().isPresent()) {
            throw new IllegalArgumentException(
                    PROPERTY + "oidc.client-secret and " + PROPERTY + "oidc.client-secret-file exclude each other");
        }
        return oidc.clientSecretFile().map(file -> SecretFile.read(PROPERTY + "oidc.client-secret-file", file));
    }

    /** A provider that is described and not asked would leave its operator in a false belief. */
    private static void requireNothingOf(AnabranchConfig.Authentication.Oidc oidc) {
        Stream.<Function<AnabranchConfig.Authentication.Oidc, Optional<?>>>of(
                        AnabranchConfig.Authentication.Oidc::provider, AnabranchConfig.Authentication.Oidc::audience)
                .filter(property -> property.apply(oidc).isPresent())
                .findFirst()
                .ifPresent(property -> {
                    throw new IllegalArgumentException(PROPERTY + "oidc describes a provider, and " + PROPERTY
                            + "type is 'none': set it to 'oidc', or leave the provider out");
                });
    }

    private static IllegalArgumentException missing(String property, String meaning) {
        return new IllegalArgumentException(
                PROPERTY + "type is 'oidc' and " + PROPERTY + "oidc." + property + " is missing: give " + meaning);
    }

    /** An address that cannot be resolved is for whoever opens the port to complain of. */
    static boolean isLoopback(@Nullable String host) {
        try {
            return InetAddress.getByName(host).isLoopbackAddress();
        } catch (UnknownHostException e) {
            return true;
        }
    }
}
