package org.anabranch.api.client;

import java.time.Duration;

/** The client's sense of time, handed in so that tests need not wait. */
public interface Pace {

    /** A time in nanoseconds, for differences. */
    long nanos();

    /** Waits. */
    void pause(Duration duration) throws InterruptedException;
}
