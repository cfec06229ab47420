package org.anabranch.service;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import org.anabranch.store.OutcomeUnknownException;
import org.anabranch.store.StoreUnavailableException;
import org.anabranch.versioning.sweep.StoreSweep;
import org.anabranch.versioning.sweep.SweepMode;
import org.anabranch.versioning.sweep.SweepReport;
import org.anabranch.versioning.sweep.SweepStage;
import org.anabranch.versioning.sweep.UnsweepableException;
import org.jspecify.annotations.Nullable;

/** Sweeps the store beside what else the service does, one run at a time, on a thread of its own. Safe from many threads. */
public final class SweepStore implements AutoCloseable {

    /** Where the last run is. */
    public enum State {
        /** None was started since the service was. */
        NONE,
        RUNNING,
        /** There is a report. */
        ENDED,
        /** The store did not work, or cannot be swept. */
        FAILED
    }

    /**
     * How far a run is, and what all runs of this process did.
     *
     * @param stage null before it began
     * @param done rows listed, deleted or condemned, as the stage says
     * @param total how many there will be; 0 if that is not known
     * @param failure why it failed; null unless it did
     * @param report null unless it ended
     * @param runs that were started and were no dry runs
     * @param failedRuns of those
     * @param condemned rows, by all runs that ended
     * @param spared as before
     * @param deleted as before
     */
    public record Status(
            State state,
            @Nullable SweepMode mode,
            @Nullable Instant startedAt,
            long elapsedMillis,
            @Nullable SweepStage stage,
            long done,
            long total,
            @Nullable String failure,
            @Nullable SweepReport report,
            long runs,
            long failedRuns,
            long condemned,
            long spared,
            long deleted) {

        private static final Status NONE = new Status(State.NONE, null, null, 0, null, 0, 0, null, null, 0, 0, 0, 0, 0);

        private Status started(SweepMode next, Instant at) {
            return new Status(
                    State.RUNNING,
                    next,
                    at,
                    0,
                    null,
                    0,
                    0,
                    null,
                    null,
                    runs + (next == SweepMode.SWEEP ? 1 : 0),
                    failedRuns,
                    condemned,
                    spared,
                    deleted);
        }

        private Status at(SweepStage now, long nowDone, long nowTotal, long elapsed) {
            return new Status(
                    state,
                    mode,
                    startedAt,
                    elapsed,
                    now,
                    nowDone,
                    nowTotal,
                    null,
                    null,
                    runs,
                    failedRuns,
                    condemned,
                    spared,
                    deleted);
        }

        private Status ended(SweepReport found, long elapsed) {
            boolean counts = found.mode() == SweepMode.SWEEP;
            return new Status(
                    State.ENDED,
                    mode,
                    startedAt,
                    elapsed,
                    stage,
                    done,
                    total,
                    null,
                    found,
                    runs,
                    failedRuns,
                    condemned + (counts ? found.condemned() : 0),
                    spared + (counts ? found.spared() : 0),
                    deleted + (counts ? found.deleted() : 0));
        }

        private Status failed(String why, long elapsed) {
            return new Status(
                    State.FAILED,
                    mode,
                    startedAt,
                    elapsed,
                    stage,
                    done,
                    total,
                    why,
                    null,
                    runs,
                    failedRuns + (mode == SweepMode.SWEEP ? 1 : 0),
                    condemned,
                    spared,
                    deleted);
        }
    }

    private final StoreSweep sweep;
    private final InstantSource clock;
    private volatile Status status = Status.NONE;
    private volatile boolean toldToEnd;
    private @Nullable Thread thread;

    public SweepStore(StoreSweep sweep, InstantSource clock) {
        this.sweep = sweep;
        this.clock = clock;
    }

    /**
     * Starts a sweep.
     *
     * @return false if a run is under way, which goes on
     */
    public boolean startSweep() {
        return start(SweepMode.SWEEP);
    }

    /** As {@link #startSweep}, of a run that changes nothing. */
    public boolean startDryRun() {
        return start(SweepMode.DRY_RUN);
    }

    private synchronized boolean start(SweepMode mode) {
        if (thread != null && thread.isAlive()) {
            return false;
        }
        toldToEnd = false;
        Instant startedAt = clock.instant();
        status = status.started(mode, startedAt);
        thread = Thread.ofPlatform().name("store-sweep").daemon().start(() -> run(mode, startedAt));
        return true;
    }

    public Status status() {
        return status;
    }

    /** Tells a run that is under way to end, with what it has done. Does not wait for it. */
    public void end() {
        toldToEnd = true;
    }

    /** Ends a run that is under way, and waits until it has. */
    @Override
    public void close() {
        Thread running;
        synchronized (this) {
            running = thread;
        }
        end();
        if (running != null) {
            try {
                running.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void run(SweepMode mode, Instant startedAt) {
        try {
            SweepReport report = sweep.run(
                    mode,
                    (stage, done, total) -> status = status.at(stage, done, total, elapsed(startedAt)),
                    () -> toldToEnd);
            status = status.ended(report, elapsed(startedAt));
        } catch (StoreUnavailableException | OutcomeUnknownException | UnsweepableException e) {
            status = status.failed(String.valueOf(e.getMessage()), elapsed(startedAt));
        } catch (RuntimeException e) {
            status = status.failed(e.toString(), elapsed(startedAt));
            throw e;
        }
    }

    private long elapsed(Instant startedAt) {
        return Duration.between(startedAt, clock.instant()).toMillis();
    }
}
