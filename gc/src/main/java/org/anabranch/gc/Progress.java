package org.anabranch.gc;

/** Is told how far a step is. Safe from many threads; quick, and without an effect on the step. */
public interface Progress {

    /** What is being counted. */
    enum Phase {
        /** Commits read from the log. */
        LOG,
        /** Entries read from trees of commits. */
        TREES,
        /** Pointers expanded to their files. */
        EXPAND,
        /** Files listed. */
        LIST,
        /** Files deleted. */
        DELETE
    }

    /** Nobody listens. */
    Progress NONE = (phase, more, total) -> {};

    /**
     * More was done.
     *
     * @param more since the last call
     * @param total of the whole phase as far as known by now; 0 when it is not
     */
    void made(Phase phase, long more, long total);
}
