package org.anabranch.wiring;

import io.quarkus.runtime.StartupEvent;
import io.quarkus.vertx.http.HttpServerOptionsCustomizer;
import io.vertx.core.http.ClientAuth;
import io.vertx.core.http.HttpServerOptions;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;

/** Asks clients for certificates where that is configured, and refuses settings of TLS that are half there. */
@Singleton
public final class Tls implements HttpServerOptionsCustomizer {

    private final AnabranchConfig.Tls config;

    Tls(AnabranchConfig config) {
        this.config = config.tls();
    }

    @Override
    public void customizeHttpsServer(HttpServerOptions options) {
        if (config.clientAuthorities().isPresent()) {
            options.setClientAuth(ClientAuth.REQUIRED);
        }
    }

    void check(@Observes StartupEvent event) {
        if (config.certificate().isPresent() != config.key().isPresent()) {
            throw new IllegalArgumentException(
                    "anabranch.tls.certificate and anabranch.tls.key belong together, and one of them is missing");
        }
        if (config.clientAuthorities().isPresent() && config.certificate().isEmpty()) {
            throw new IllegalArgumentException(
                    "anabranch.tls.client-authorities asks clients for certificates, which needs TLS: give"
                            + " anabranch.tls.certificate and anabranch.tls.key too");
        }
    }
}
