package org.anabranch.gc.storage;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Holds requests to a storage to so many per second, evenly spread; whoever comes early waits. Safe from many threads.
 */
public final class RequestRate {

    private final long nanosPerRequest;
    private final LongSupplier nanoTime;
    private long nextFree;

    private RequestRate(long nanosPerRequest, LongSupplier nanoTime) {
        this.nanosPerRequest = nanosPerRequest;
        this.nanoTime = nanoTime;
        this.nextFree = nanoTime.getAsLong();
    }

    /** @throws IllegalArgumentException unless the number is positive */
    public static RequestRate perSecond(double requests, LongSupplier nanoTime) {
        if (!(requests > 0)) {
            throw new IllegalArgumentException("A request rate must be positive, not " + requests);
        }
        return new RequestRate((long) (TimeUnit.SECONDS.toNanos(1) / requests), nanoTime);
    }

    public static RequestRate unlimited() {
        return new RequestRate(0, () -> 0);
    }

    /** Waits until so many requests may be sent; an interrupted thread does not wait. */
    public void acquire(int requests) {
        long nanos = reserve(requests);
        try {
            TimeUnit.NANOSECONDS.sleep(nanos);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Takes the next turn, and says how many nanoseconds it is away. */
    synchronized long reserve(int requests) {
        if (nanosPerRequest == 0) {
            return 0;
        }
        long now = nanoTime.getAsLong();
        long turn = Math.max(now, nextFree);
        nextFree = turn + requests * nanosPerRequest;
        return turn - now;
    }
}
