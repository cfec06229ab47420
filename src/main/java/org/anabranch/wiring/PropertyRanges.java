package org.anabranch.wiring;

import io.quarkus.runtime.StartupEvent;
import io.quarkus.runtime.configuration.MemorySize;
import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a service from starting with values that no property of their kind can have, before anything is made of them: some are first
 * used by a request, which they would make fail. What is wrong with a value beyond that is said where it is used.
 */
@Singleton
public final class PropertyRanges {

    private static final int FIRST = 1;

    private static final String LIMITS = "anabranch.limits.";

    /** Times are counted in nanoseconds, of which a {@code long} holds 292 years. */
    private static final Duration LONGEST = Duration.ofDays(36_500);

    private final AnabranchConfig config;

    PropertyRanges(AnabranchConfig config) {
        this.config = config;
    }

    void check(@Observes @Priority(FIRST) StartupEvent event) {
        DeclaredProperties.values(config).forEach(PropertyRanges::require);
    }

    /** @throws IllegalArgumentException if no property of this name can have the value */
    static void require(String name, @Nullable Object value) {
        switch (value) {
            case Duration duration -> {
                if (duration.isNegative() || duration.compareTo(LONGEST) > 0) {
                    throw new IllegalArgumentException(
                            name + " (" + duration + ") must lie between 0S and " + LONGEST.toDays() + " days");
                }
                if (duration.isZero() && name.startsWith(LIMITS)) {
                    throw new IllegalArgumentException(name + " (" + duration + ") must be more than zero");
                }
            }
            case Integer number -> requireAtLeast(name.startsWith(LIMITS) ? 1 : 0, name, number);
            case MemorySize size -> requireAtLeast(name.startsWith(LIMITS) ? 1 : 0, name, size.asLongValue());
            case Optional<?> optional -> require(name, optional.orElse(null));
            case null, default -> {}
        }
    }

    private static void requireAtLeast(int least, String name, long value) {
        if (value < least) {
            throw new IllegalArgumentException(name + " (" + value + ") must be " + least + " or more");
        }
    }
}
