package org.anabranch.wiring;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.anabranch.store.RepositoryRow;
import org.anabranch.store.Store;
import org.anabranch.store.StoreUnavailableException;
import org.anabranch.testing.ForwardingStore;
import org.anabranch.testing.TestCatalog;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.HealthCheckResponse.Status;
import org.junit.jupiter.api.Test;

/** What whoever reaches the management port is told of a store that does not work. */
class ReadinessTest {

    private static final String SECRETS =
            "jdbc:postgresql://db.example/lake?password=hunter2 SELECT head FROM reference";

    private final Store working = new TestCatalog().store();
    private Instant now = Instant.parse("2026-01-31T12:00:00Z");
    private Optional<RuntimeException> problem = Optional.empty();

    private final Readiness readiness = new Readiness(
            new ForwardingStore(working) {
                @Override
                public Optional<RepositoryRow> repository() {
                    if (problem.isPresent()) {
                        throw problem.get();
                    }
                    return super.repository();
                }
            },
            "memory",
            () -> now);

    private static Map<String, Object> data(HealthCheckResponse answer) {
        return answer.getData().orElseThrow();
    }

    @Test
    void aStoreThatCannotBeReadIsToldOfWithoutItsWords() {
        problem = Optional.of(new StoreUnavailableException(SECRETS, null));
        assertThat(readiness.call().getStatus()).isEqualTo(Status.DOWN);
        now = now.plusSeconds(60);

        assertThat(data(readiness.call()))
                .containsOnly(
                        Map.entry("kind", "memory"),
                        Map.entry("error", "The store cannot be read since 2026-01-31T12:00:00Z: the log says why"));
    }

    @Test
    void soIsARepositoryThatCannotBeServed() {
        problem = Optional.of(new IllegalStateException(SECRETS));

        assertThat(data(readiness.call()))
                .containsEntry("error", "The repository cannot be served since 2026-01-31T12:00:00Z: the log says why");
    }

    @Test
    void theNextFailureHasATimeOfItsOwn() {
        problem = Optional.of(new StoreUnavailableException(SECRETS, null));
        readiness.call();
        problem = Optional.empty();
        assertThat(readiness.call().getStatus()).isEqualTo(Status.UP);
        assertThat(data(readiness.call())).containsOnly(Map.entry("kind", "memory"));
        now = now.plusSeconds(60);
        problem = Optional.of(new StoreUnavailableException(SECRETS, null));

        assertThat(data(readiness.call()).get("error")).asString().contains("since 2026-01-31T12:01:00Z");
    }
}
