package org.anabranch.gc.policy;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import org.anabranch.gc.Cutoff;
import org.jspecify.annotations.Nullable;

/**
 * How far back a reference keeps what its commits show: all of it ({@code NONE}), a number of commits, a duration back from the start
 * of the run, or an instant.
 */
public sealed interface CutoffPolicy {

    /** The cutoff in a run that began at some time. */
    Cutoff at(Instant startedAt);

    /** {@code NONE}: the whole line is live. */
    record Everything() implements CutoffPolicy {
        @Override
        public Cutoff at(Instant startedAt) {
            return Cutoff.NONE;
        }

        @Override
        public String toString() {
            return "NONE";
        }
    }

    /** The head and the commits before it, this many in all. */
    record Newest(long commits) implements CutoffPolicy {
        @Override
        public Cutoff at(Instant startedAt) {
            return Cutoff.newest(commits);
        }

        @Override
        public String toString() {
            return Long.toString(commits);
        }
    }

    /** Commits that are not older than this when the run begins. */
    record Within(Duration duration) implements CutoffPolicy {
        @Override
        public Cutoff at(Instant startedAt) {
            return duration.compareTo(Duration.between(Instant.MIN, startedAt)) >= 0
                    ? Cutoff.NONE
                    : Cutoff.since(startedAt.minus(duration));
        }

        @Override
        public String toString() {
            boolean isDays = duration.equals(Duration.ofDays(duration.toDays()));
            return isDays ? "P" + duration.toDays() + "D" : duration.toString();
        }
    }

    /** Commits from an instant on. */
    record Since(Instant instant) implements CutoffPolicy {
        @Override
        public Cutoff at(Instant startedAt) {
            return Cutoff.since(instant);
        }

        @Override
        public String toString() {
            return instant.toString();
        }
    }

    /**
     * Reads a policy: tried as {@code NONE} in any case, a number, an ISO-8601 duration, an ISO-8601 instant.
     *
     * @throws IllegalArgumentException if it is none of these, or keeps less than one commit or into the future
     */
    static CutoffPolicy parse(String text) {
        String policy = text.strip();
        if (policy.equalsIgnoreCase("NONE")) {
            return new Everything();
        }
        if (policy.matches("[1-9][0-9]{0,10}")) {
            return new Newest(Long.parseLong(policy));
        }
        try {
            if (policy.startsWith("P") || policy.startsWith("p")) {
                Duration duration = Duration.parse(policy);
                if (!duration.isNegative()) {
                    return new Within(duration);
                }
            } else {
                return new Since(OffsetDateTime.parse(policy).toInstant());
            }
        } catch (DateTimeException e) {
            throw unreadable(text, e);
        }
        throw unreadable(text, null);
    }

    private static IllegalArgumentException unreadable(String text, @Nullable Exception cause) {
        return new IllegalArgumentException(
                "'" + text
                        + "' is no cutoff policy: give NONE, a number of commits from 1 on, a duration such as P30D, or an"
                        + " instant such as 2026-01-31T12:00:00Z",
                cause);
    }
}
