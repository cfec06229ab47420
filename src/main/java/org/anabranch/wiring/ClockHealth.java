package org.anabranch.wiring;

import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import org.anabranch.object.Commit;
import org.anabranch.object.CorruptObjectException;
import org.anabranch.object.ObjectReader;
import org.anabranch.store.Instants;
import org.anabranch.store.MissingRowException;
import org.anabranch.store.StoreUnavailableException;
import org.anabranch.versioning.refs.References;
import org.anabranch.versioning.refs.Repository;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.HealthCheckResponseBuilder;
import org.eclipse.microprofile.health.Readiness;

/** Warns when the default branch's head is of the future: the clock of this process, or of the one that made it, is wrong. */
@Singleton
@Readiness
public final class ClockHealth implements HealthCheck {

    /** Clocks that are kept together differ by less. */
    private static final Duration TOLERANCE = Duration.ofSeconds(10);

    private final References references;
    private final Repository repository;
    private final ObjectReader objects;
    private final InstantSource clock;
    private volatile double aheadMillis = Double.NaN;

    ClockHealth(References references, Repository repository, ObjectReader objects, InstantSource clock) {
        this.references = references;
        this.repository = repository;
        this.objects = objects;
        this.clock = clock;
    }

    /** Always up: commits are in order whatever the clocks say. */
    @Override
    public HealthCheckResponse call() {
        HealthCheckResponseBuilder answer = HealthCheckResponse.named("clock").up();
        try {
            String branch = repository.defaultBranch();
            references
                    .findRow(branch)
                    .map(row -> objects.commit(row.head().number()))
                    .flatMap(this::look)
                    .ifPresent(warning -> answer.withData("warning", warning));
        } catch (StoreUnavailableException e) {
            // The check of the store says so.
        } catch (MissingRowException | CorruptObjectException e) {
            // Other branches, and other commits of this one, are served as long as the store answers.
            answer.withData(
                    "warning",
                    "The head of the default branch cannot be read: a check of the repository tells what is damaged");
        }
        return answer.build();
    }

    /** By how many milliseconds the head was ahead when it was last looked at, less than 0 if it was behind; NaN before. */
    double aheadMillis() {
        return aheadMillis;
    }

    private Optional<String> look(Commit head) {
        Instant now = clock.instant();
        aheadMillis = ahead(head, now).toMillis();
        return warning(head, now);
    }

    private static Duration ahead(Commit head, Instant now) {
        return Duration.between(now, Instants.ofMicros(head.createdAtMicros()));
    }

    static Optional<String> warning(Commit head, Instant now) {
        Duration ahead = ahead(head, now);
        return ahead.compareTo(TOLERANCE) <= 0
                ? Optional.empty()
                : Optional.of("The head of the default branch is " + ahead.toSeconds()
                        + " s ahead of this process's clock: set the clocks of all processes right");
    }
}
