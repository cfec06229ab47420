package org.anabranch.gc;

import java.time.Instant;

/**
 * How far down its line a reference keeps what its commits show. The head is always live; below it, the line is live down to the
 * commit before the first one that is beyond the number or too old.
 *
 * @param commits how many are live at most, the head included; at least 1
 * @param oldest commits before it are not live
 */
public record Cutoff(long commits, Instant oldest) {

    /** Keeps the whole line. */
    public static final Cutoff NONE = new Cutoff(Long.MAX_VALUE, Instant.MIN);

    public Cutoff {
        if (commits < 1) {
            throw new IllegalArgumentException("A cutoff keeps at least one commit, not " + commits);
        }
    }

    public static Cutoff newest(long number) {
        return new Cutoff(number, Instant.MIN);
    }

    public static Cutoff since(Instant instant) {
        return new Cutoff(Long.MAX_VALUE, instant);
    }
}
