package org.anabranch.cli.chaos;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** How often something is broken, and waiting for what it leads to. */
final class Rounds {

    /** {@code -Danabranch.chaos.rounds=N} for longer runs. */
    static final int COUNT = Integer.getInteger("anabranch.chaos.rounds", 2);

    static final boolean ARE_MANY = COUNT > 2;

    private static final long POLL_NANOS = Duration.ofMillis(10).toNanos();

    private Rounds() {}

    static void await(BooleanSupplier condition, Duration patience, String what) {
        long deadline = System.nanoTime() + patience.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > deadline) {
                throw new AssertionError("Within " + patience + " there was not " + what);
            }
            LockSupport.parkNanos(POLL_NANOS);
        }
    }
}
