package org.anabranch.versioning.commit;

/** The passing of time, as waiting is measured in. */
public interface Ticker {

    /** Nanoseconds since some fixed moment; never goes back. */
    long nanos();

    /** Lets about that much time pass. */
    void pause(long nanos);
}
