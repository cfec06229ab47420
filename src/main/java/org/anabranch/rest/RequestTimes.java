package org.anabranch.rest;

import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * Where the time of one request went, in nanoseconds of a clock that never steps back. Used by one thread at a time: the one that
 * takes it, the one that works on it, the one that ends it.
 */
final class RequestTimes {

    private final long arrived;
    private long begun;
    private long answered;

    private boolean writes;
    private long branch;
    private long judging;
    private long store;
    private long storeOfAnswer;

    RequestTimes(long arrived) {
        this.arrived = arrived;
        this.begun = arrived;
    }

    /** A thread takes it up. */
    void begin(long now) {
        begun = now;
    }

    /** There is an answer, which is written from now on. */
    void answer(long now) {
        answered = now;
    }

    /** It is at its branch, where what the store takes is counted by {@link #endWrite}. */
    void beginWrite() {
        writes = true;
    }

    void endWrite(long waitedNanos, long judgedNanos, long storedNanos) {
        writes = false;
        branch += waitedNanos;
        judging += judgedNanos;
        store += storedNanos;
    }

    void addStore(long nanos) {
        if (answered != 0) {
            storeOfAnswer += nanos;
        } else if (!writes) {
            store += nanos;
        }
    }

    long all(long now) {
        return now - arrived;
    }

    /** In words, if it ends now. */
    String breakdown(long now) {
        long thread = begun - arrived;
        long writing = answered == 0 ? 0 : now - answered - storeOfAnswer;
        long rest = all(now) - thread - branch - judging - store - storeOfAnswer - writing;
        return String.format(
                Locale.ROOT,
                "waiting for a thread %d, for the branch %d, judging %d, store %d, writing the answer %d, else %d",
                millis(thread),
                millis(branch),
                millis(judging),
                millis(store + storeOfAnswer),
                millis(writing),
                millis(rest));
    }

    private static long millis(long nanos) {
        return TimeUnit.NANOSECONDS.toMillis(nanos);
    }
}
