package org.anabranch.wiring;

import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.anabranch.store.Store;
import org.anabranch.store.StoreUnavailableException;
import org.anabranch.store.postgres.PostgresStore;
import org.anabranch.versioning.refs.Repository;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.HealthCheckResponseBuilder;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Ready as long as the store answers and the service is not ending. That the process answers at all is all there is to being alive.
 * What stores and drivers say goes to the log: health is open to whoever reaches the port.
 */
@Singleton
@org.eclipse.microprofile.health.Readiness
public final class Readiness implements HealthCheck {

    private static final Logger LOG = Logger.getLogger("anabranch");

    private final Store store;
    private final InstantSource clock;
    private final String kind;
    private volatile boolean ending;
    private volatile @Nullable Instant failsSince;

    @Inject
    Readiness(Store store, AnabranchConfig config, InstantSource clock) {
        this(store, Labels.of(config.store().type()), clock);
    }

    Readiness(Store store, String kind, InstantSource clock) {
        this.store = store;
        this.kind = kind;
        this.clock = clock;
    }

    /** From now on the answer is no, so that nobody sends new requests here. */
    void end() {
        ending = true;
    }

    @Override
    public HealthCheckResponse call() {
        if (ending) {
            return down("The service is ending");
        }
        try {
            HealthCheckResponseBuilder answer = answer().status(
                            store.repository().map(Repository::requireServable).isPresent());
            List<String> warnings = warnings();
            failsSince = null;
            if (!warnings.isEmpty()) {
                answer.withData("warning", String.join(" ", warnings));
            }
            return answer.build();
        } catch (RuntimeException e) {
            return failed(e);
        }
    }

    private HealthCheckResponse failed(RuntimeException problem) {
        Instant since = failsSince;
        if (since == null) {
            since = clock.instant();
            failsSince = since;
            LOG.warnf("The service is not ready: %s", problem.getMessage());
        }
        String what = problem instanceof StoreUnavailableException
                ? "The store cannot be read"
                : "The repository cannot be served";
        return down(toldInLog(what, since));
    }

    private static String toldInLog(String what, Instant since) {
        return what + " since " + since + ": the log says why";
    }

    private HealthCheckResponseBuilder answer() {
        return HealthCheckResponse.named("store").withData("kind", kind);
    }

    private HealthCheckResponse down(String why) {
        return answer().down().withData("error", why).build();
    }

    /** What an operator must know of a store that answers. One that cannot be written is ready still, because it can be read. */
    private List<String> warnings() {
        if (!(store instanceof WatchedStore watched)) {
            return List.of();
        }
        List<String> warnings = new ArrayList<>();
        watched.failsToWriteSince()
                .map(since -> toldInLog("The store cannot be written", since))
                .ifPresent(warnings::add);
        if (watched.watched() instanceof PostgresStore postgres) {
            warnings.addAll(postgres.weaknesses());
        }
        return warnings;
    }
}
