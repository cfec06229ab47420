package org.anabranch.versioning.refs;

import java.time.Duration;

/**
 * How many earlier heads a reference row keeps.
 *
 * @param count the most that are kept, 0 or more
 * @param maxAge those replaced longer ago are dropped at the next move
 */
public record RecentHeadsLimit(int count, Duration maxAge) {

    /** 20 heads of the last 300 seconds. */
    public static final RecentHeadsLimit DEFAULT = new RecentHeadsLimit(20, Duration.ofSeconds(300));

    public RecentHeadsLimit {
        if (count < 0 || maxAge.isNegative()) {
            throw new IllegalArgumentException("A limit of recent heads is not negative");
        }
    }
}
