package org.anabranch.rest;

/** Hears of each request that is refused at the door for what the service has to do, whatever it asks for. Returns at once, and throws nothing. */
@FunctionalInterface
public interface RefusalListener {

    void refused(Reason reason);

    /** Why the service does not take a request now. */
    enum Reason {
        /** Every thread is at work, and as many requests wait for one as may. */
        THREADS,
        /** The bodies of the requests under way have all the memory that they may have. */
        BODIES,
        /** The service is ending. */
        ENDING
    }
}
