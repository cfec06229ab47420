package org.anabranch.api.client;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** The client's sense of time, handed in so that tests need not wait. */
public interface Pace {

    /** A time in nanoseconds, for differences. */
    long nanos();

    /** Waits. */
    void pause(Duration duration) throws InterruptedException;

    /**
     * The pace of this machine, which waits by letting the thread sleep.
     *
     * @param nanoTime such as {@code System::nanoTime}
     */
    static Pace of(LongSupplier nanoTime) {
        return new Pace() {
            @Override
            public long nanos() {
                return nanoTime.getAsLong();
            }

            @Override
            public void pause(Duration duration) throws InterruptedException {
                TimeUnit.NANOSECONDS.sleep(duration.toNanos());
            }
        };
    }
}
