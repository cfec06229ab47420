package org.anabranch.wiring;

import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import org.anabranch.versioning.refs.Repository;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Startup;

/** Started as soon as the repository is open, which it stays. */
@Singleton
@Startup
public final class Started implements HealthCheck {

    private volatile boolean open;

    /** By then the repository is there, or the start has failed. */
    void opened(@Observes StartupEvent event, Repository repository) {
        open = true;
    }

    @Override
    public HealthCheckResponse call() {
        return HealthCheckResponse.named("repository").status(open).build();
    }
}
