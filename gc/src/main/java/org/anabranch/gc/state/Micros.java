package org.anabranch.gc.state;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** Times as the database keeps them: microseconds since 1970, rounded down; what is too far away to be kept is the farthest that is. */
final class Micros {

    private static final long PER_SECOND = 1_000_000;
    private static final int NANOS = 1_000;
    private static final Instant FIRST = Instant.ofEpochSecond(Long.MIN_VALUE / PER_SECOND);
    private static final Instant LAST = Instant.ofEpochSecond(Long.MAX_VALUE / PER_SECOND);

    private Micros() {}

    static long of(Instant instant) {
        if (instant.isBefore(FIRST)) {
            return Long.MIN_VALUE;
        }
        return instant.isAfter(LAST)
                ? Long.MAX_VALUE
                : instant.getEpochSecond() * PER_SECOND + instant.getNano() / NANOS;
    }

    static Instant instant(long micros) {
        return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
    }
}
