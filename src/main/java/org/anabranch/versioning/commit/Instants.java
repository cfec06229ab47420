package org.anabranch.versioning.commit;

import java.time.Instant;
import java.util.concurrent.TimeUnit;

/** Times of day in the unit that is stored. */
final class Instants {

    private Instants() {}

    /** Microseconds since the epoch, rounded down. */
    static long micros(Instant time) {
        return TimeUnit.SECONDS.toMicros(time.getEpochSecond()) + TimeUnit.NANOSECONDS.toMicros(time.getNano());
    }
}
