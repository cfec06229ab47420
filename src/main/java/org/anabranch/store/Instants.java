package org.anabranch.store;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** Times of day in the unit that is stored: microseconds since the epoch. */
public final class Instants {

    private Instants() {}

    /** Microseconds since the epoch, rounded down; times that are too far away for that end at the largest values. */
    public static long micros(Instant time) {
        try {
            return Math.addExact(Math.multiplyExact(time.getEpochSecond(), 1_000_000L), time.getNano() / 1_000);
        } catch (ArithmeticException tooFar) {
            return time.getEpochSecond() < 0 ? Long.MIN_VALUE : Long.MAX_VALUE;
        }
    }

    public static Instant ofMicros(long micros) {
        return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
    }
}
