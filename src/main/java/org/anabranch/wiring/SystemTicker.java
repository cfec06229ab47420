package org.anabranch.wiring;

import java.util.concurrent.locks.LockSupport;
import org.anabranch.versioning.commit.Ticker;

/** The time of this machine. */
final class SystemTicker implements Ticker {

    @Override
    public long nanos() {
        return System.nanoTime();
    }

    @Override
    public void pause(long nanos) {
        LockSupport.parkNanos(nanos);
    }
}
