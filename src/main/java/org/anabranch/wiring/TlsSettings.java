package org.anabranch.wiring;

import io.smallrye.config.ConfigSourceContext;
import io.smallrye.config.ConfigSourceFactory;
import io.smallrye.config.ConfigValue;
import io.smallrye.config.PropertiesConfigSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.eclipse.microprofile.config.spi.ConfigSource;

/**
 * Says in the framework's properties what {@code anabranch.tls} and the provider's authorities say in ours: with a certificate the
 * API is on HTTPS, on the port that it otherwise has for HTTP, and nowhere else.
 */
public final class TlsSettings implements ConfigSourceFactory {

    /** The names that the framework knows these settings by. */
    static final String OF_API = "anabranch-api";

    static final String OF_PROVIDER = "anabranch-provider";

    private static final String CERTIFICATE = "anabranch.tls.certificate";
    private static final String KEY = "anabranch.tls.key";
    private static final String CLIENT_AUTHORITIES = "anabranch.tls.client-authorities";
    private static final String PROVIDER_AUTHORITIES = "anabranch.authentication.oidc.authorities";

    /** Over the defaults of the service, and below what an operator gives. */
    private static final int ORDINAL = 255;

    @Override
    public Iterable<ConfigSource> getConfigSources(ConfigSourceContext context) {
        Map<String, String> settings = new HashMap<>();
        Optional<String> certificate = value(context, CERTIFICATE);
        Optional<String> key = value(context, KEY);
        Optional<String> clientAuthorities = value(context, CLIENT_AUTHORITIES);
        String reloadPeriod = value(context, "anabranch.tls.reload-period").orElse("1M");
        if (certificate.isPresent() && key.isPresent()) {
            String api = "quarkus.tls." + OF_API;
            settings.put(api + ".key-store.pem.0.cert", certificate.get());
            settings.put(api + ".key-store.pem.0.key", key.get());
            settings.put(api + ".reload-period", reloadPeriod);
            clientAuthorities.ifPresent(file -> settings.put(api + ".trust-store.pem.certs", file));
            settings.put("quarkus.http.tls-configuration-name", OF_API);
            settings.put("quarkus.http.insecure-requests", "disabled");
            // Browsers that came once do not try plain HTTP for a year, on this host and whatever its port.
            settings.put("quarkus.http.header.\"Strict-Transport-Security\".value", "max-age=31536000");
            settings.put(
                    "quarkus.http.ssl-port", value(context, "quarkus.http.port").orElseThrow());
        }
        value(context, PROVIDER_AUTHORITIES).ifPresent(file -> {
            settings.put("quarkus.tls." + OF_PROVIDER + ".trust-store.pem.certs", file);
            settings.put("quarkus.tls." + OF_PROVIDER + ".reload-period", reloadPeriod);
        });
        return settings.isEmpty() ? List.of() : List.of(new PropertiesConfigSource(settings, "anabranch.tls", ORDINAL));
    }

    private static Optional<String> value(ConfigSourceContext context, String name) {
        return Optional.ofNullable(context.getValue(name))
                .map(ConfigValue::getValue)
                .filter(text -> !text.isBlank());
    }
}
