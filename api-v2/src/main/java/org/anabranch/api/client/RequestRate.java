package org.anabranch.api.client;

import java.time.Duration;

/** Spreads requests evenly, so that no second sees more than its share. Safe from many threads. */
final class RequestRate {

    private final Pace pace;
    private final long nanosBetween;
    private long nextAt;

    /** @param perSecond 0 for no limit */
    RequestRate(double perSecond, Pace pace) {
        this.pace = pace;
        this.nanosBetween = perSecond == 0 ? 0 : (long) (1_000_000_000 / perSecond);
        this.nextAt = pace.nanos();
    }

    /** Waits for the caller's turn. */
    void await() throws InterruptedException {
        if (nanosBetween == 0) {
            return;
        }
        long wait = turn();
        if (wait > 0) {
            pace.pause(Duration.ofNanos(wait));
        }
    }

    private synchronized long turn() {
        long now = pace.nanos();
        long at = nextAt - now > 0 ? nextAt : now;
        nextAt = at + nanosBetween;
        return at - now;
    }
}
