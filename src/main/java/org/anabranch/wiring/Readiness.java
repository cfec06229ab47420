package org.anabranch.wiring;

import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.List;
import org.anabranch.store.Store;
import org.anabranch.store.postgres.PostgresStore;
import org.anabranch.versioning.refs.Repository;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.HealthCheckResponseBuilder;

/** Ready as long as the store answers and the service is not ending. That the process answers at all is all there is to being alive. */
@Singleton
@org.eclipse.microprofile.health.Readiness
public final class Readiness implements HealthCheck {

    private final Store store;
    private final String kind;
    private volatile boolean ending;

    Readiness(Store store, AnabranchConfig config) {
        this.store = store;
        this.kind = Labels.of(config.store().type());
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
            if (!warnings.isEmpty()) {
                answer.withData("warning", String.join(" ", warnings));
            }
            return answer.build();
        } catch (RuntimeException e) {
            return down(String.valueOf(e.getMessage()));
        }
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
        watched.writeFailure().ifPresent(warnings::add);
        if (watched.watched() instanceof PostgresStore postgres) {
            warnings.addAll(postgres.weaknesses());
        }
        return warnings;
    }
}
