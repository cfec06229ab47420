package org.anabranch.gc.state;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** Times as the database keeps them: microseconds since 1970, rounded down. */
final class Micros {

    private Micros() {}

    static long of(Instant instant) {
        return Math.addExact(Math.multiplyExact(instant.getEpochSecond(), 1_000_000L), instant.getNano() / 1_000);
    }

    static Instant instant(long micros) {
        return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
    }
}
