package org.anabranch.bench.load;

import java.util.Optional;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** What one worker measured in one round. For one thread. */
public final class Recording {

    private static final long LONGEST_NANOS = 600_000_000_000L;

    private final Histogram nanos = new Histogram(1_000, LONGEST_NANOS, 3);
    private long nanosOfAll;
    private long conflicts;
    private long refusals;
    private long errors;
    private @Nullable String firstError;

    /** One operation that did what it should. */
    public void done(long elapsedNanos) {
        nanosOfAll += elapsedNanos;
        nanos.recordValue(Math.min(LONGEST_NANOS, Math.max(1_000, elapsedNanos)));
    }

    /** One operation that was answered with a conflict though nobody touched its keys. */
    public void conflict(long elapsedNanos) {
        nanosOfAll += elapsedNanos;
        conflicts++;
    }

    /** One operation that the server had no room for. */
    public void refused(long elapsedNanos) {
        nanosOfAll += elapsedNanos;
        refusals++;
    }

    /** One operation that failed, or one beside it that is not measured. */
    public void error(long elapsedNanos, String what) {
        nanosOfAll += elapsedNanos;
        errors++;
        if (firstError == null) {
            firstError = what;
        }
    }

    void add(Recording other) {
        nanos.add(other.nanos);
        nanosOfAll += other.nanosOfAll;
        conflicts += other.conflicts;
        refusals += other.refusals;
        errors += other.errors;
        if (firstError == null) {
            firstError = other.firstError;
        }
    }

    long operations() {
        return nanos.getTotalCount();
    }

    long nanosOfAll() {
        return nanosOfAll;
    }

    long conflicts() {
        return conflicts;
    }

    long refusals() {
        return refusals;
    }

    long errors() {
        return errors;
    }

    Optional<String> firstError() {
        return Optional.ofNullable(firstError);
    }

    double percentileMillis(double percentile) {
        return operations() == 0 ? 0 : nanos.getValueAtPercentile(percentile) / 1e6;
    }

    double maxMillis() {
        return operations() == 0 ? 0 : nanos.getMaxValue() / 1e6;
    }
}
