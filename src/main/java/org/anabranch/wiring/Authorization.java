package org.anabranch.wiring;

import io.quarkus.runtime.StartupEvent;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.anabranch.filter.Conditions;
import org.anabranch.security.Policy;
import org.anabranch.wiring.AnabranchConfig.Authorization.Type;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.HealthCheckResponseBuilder;
import org.eclipse.microprofile.health.Readiness;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** Puts the configured rules in force, looks after their file, and warns in health of one that is not good. */
@Singleton
@Readiness
public final class Authorization implements HealthCheck {

    private static final Logger LOG = Logger.getLogger("anabranch");

    private static final String PROPERTY = "anabranch.authorization.";

    private final AnabranchConfig config;
    private final @Nullable ReloadedRules rules;
    private final @Nullable ScheduledExecutorService timer;

    /** @throws IllegalArgumentException the settings contradict each other, or the rules are not good */
    Authorization(AnabranchConfig config, InstantSource clock) {
        this.config = config;
        AnabranchConfig.Authorization settings = config.authorization();
        if (settings.type() == Type.NONE) {
            if (settings.rules().isPresent()) {
                throw new IllegalArgumentException(PROPERTY + "rules names a file, and " + PROPERTY
                        + "type is 'none': set it to 'rules', or leave the file out");
            }
            rules = null;
            timer = null;
            return;
        }
        Path file = settings.rules()
                .orElseThrow(() -> new IllegalArgumentException(
                        PROPERTY + "type is 'rules' and " + PROPERTY + "rules is missing: give the file of rules"));
        Duration period = settings.reloadPeriod();
        if (period.toMillis() < 1) {
            throw new IllegalArgumentException(PROPERTY + "reload-period (" + period + ") must be more than nothing");
        }
        ReloadedRules read = new ReloadedRules(file, new Conditions(), clock);
        rules = read;
        timer = Executors.newSingleThreadScheduledExecutor(
                Thread.ofPlatform().name("rules-reload").daemon().factory());
        timer.scheduleWithFixedDelay(() -> look(read), period.toMillis(), period.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** What fails here would end the timer's later turns. */
    private static void look(ReloadedRules rules) {
        try {
            rules.look();
        } catch (RuntimeException | Error e) {
            LOG.error("The rules could not be looked at, and stay as they are", e);
        }
    }

    @Produces
    @Singleton
    Policy policy() {
        return rules == null ? Policy.NONE : rules;
    }

    void tell(@Observes StartupEvent event) {
        if (rules == null) {
            return;
        }
        LOG.infof(
                "What callers may do is decided by the %d rules in %s",
                rules.count(), config.authorization().rules().orElseThrow());
        if (config.authentication().type() == AnabranchConfig.Authentication.Type.NONE) {
            LOG.warn("Nobody is asked who they are, so only rules without roles and users concern anybody");
        }
    }

    /** Up also with a file that is not good: the rules before are in force. */
    @Override
    public HealthCheckResponse call() {
        HealthCheckResponseBuilder answer =
                HealthCheckResponse.named("authorization").up();
        if (rules != null) {
            answer.withData("rules", rules.count());
            rules.failure().ifPresent(failure -> answer.withData("warning", warning(failure)));
        }
        return answer.build();
    }

    /** Names neither file nor rule: health is open to whoever reaches the port. */
    static String warning(ReloadedRules.Failure failure) {
        return "The file of rules is not good, or cannot be read, since " + failure.since()
                + ": the rules before stay in force, and the log says what is wrong";
    }

    @PreDestroy
    void close() {
        if (timer != null) {
            timer.shutdownNow();
        }
    }
}
