package org.anabranch.versioning.transfer;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.anabranch.store.Store;

/**
 * Keeps rows, and what they lead to, from every sweep of the store, also when no reference leads to them any more, in whatever process
 * the sweep runs. For one thread.
 *
 * <p>A sweep deletes a row only if it and all rows that descend from it carry marks of the grace period's age, a minute at least
 * (see {@code versioning.sweep.StoreSweep}). So it is enough to take the marks of the rows themselves more often than that.
 */
final class SweepHold {

    private static final Duration EVERY = Duration.ofSeconds(20);
    private static final int ROWS_PER_STEP = 1_000;

    private final Store store;
    private final InstantSource clock;
    private final long[] rows;
    private Instant last = Instant.MIN;

    /** @param rows their numbers */
    SweepHold(Store store, InstantSource clock, LongStream rows) {
        this.store = store;
        this.clock = clock;
        this.rows = rows.distinct().sorted().toArray();
    }

    /** To be called again and again, much more often than every minute. Costs something every {@link #EVERY} only. */
    void keep() {
        Instant now = clock.instant();
        if (last.equals(Instant.MIN) || Duration.between(last, now).compareTo(EVERY) >= 0) {
            last = now;
            List<Long> step = new ArrayList<>();
            for (int i = 0; i < rows.length; i++) {
                step.add(rows[i]);
                if (step.size() == ROWS_PER_STEP || i == rows.length - 1) {
                    store.spare(step);
                    step.clear();
                }
            }
        }
    }
}
