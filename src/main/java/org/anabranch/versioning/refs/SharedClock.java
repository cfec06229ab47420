package org.anabranch.versioning.refs;

import java.time.InstantSource;
import java.util.concurrent.TimeUnit;
import org.anabranch.store.Instants;
import org.anabranch.store.Store;
import org.jspecify.annotations.Nullable;

/**
 * The time that all processes on a store agree on to about a minute, whatever their own clocks show: that of the store, if it has a
 * clock, else that of this process. Safe from many threads.
 */
final class SharedClock {

    /** The store is asked again when this process's clock has moved so far, forwards or backwards. */
    private static final long TRUSTED_MICROS = TimeUnit.MINUTES.toMicros(1);

    /**
     * @param ownMicros of this process's clock, when the store was asked
     * @param aheadMicros how far the store's clock was ahead of it
     */
    private record Measured(long ownMicros, long aheadMicros) {}

    private final Store store;
    private final InstantSource own;
    private volatile @Nullable Measured measured;

    SharedClock(Store store, InstantSource own) {
        this.store = store;
        this.own = own;
    }

    /** The time in microseconds since the epoch. Costs a store trip about once a minute. */
    long micros() {
        long now = Instants.micros(own.instant());
        Measured last = measured;
        if (last == null || Math.abs(now - last.ownMicros()) >= TRUSTED_MICROS) {
            last = new Measured(now, store.clockMicros().orElse(now) - now);
            measured = last;
        }
        return now + last.aheadMicros();
    }
}
