package org.anabranch.rest;

import java.util.concurrent.atomic.AtomicLong;

/** How many bytes the bodies of all requests under way may have together. Safe from many threads. */
public final class BodyBudget {

    private final long limit;
    private final AtomicLong held = new AtomicLong();

    /** @param limit in bytes, after decompression; at least 1 */
    public BodyBudget(long limit) {
        if (limit < 1) {
            throw new IllegalArgumentException("A budget for bodies has at least one byte");
        }
        this.limit = limit;
    }

    /** Takes bytes if there are so many left, and says whether it did. */
    boolean take(long bytes) {
        if (held.addAndGet(bytes) <= limit) {
            return true;
        }
        held.addAndGet(-bytes);
        return false;
    }

    void giveBack(long bytes) {
        held.addAndGet(-bytes);
    }

    /** How many bytes are taken now. */
    public long held() {
        return held.get();
    }

    public long limit() {
        return limit;
    }
}
