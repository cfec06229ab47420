package org.anabranch.service;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import org.anabranch.store.StoreUnavailableException;
import org.anabranch.versioning.check.CheckLevel;
import org.anabranch.versioning.check.CheckReport;
import org.anabranch.versioning.check.CheckStage;
import org.anabranch.versioning.check.RepositoryCheck;
import org.jspecify.annotations.Nullable;

/** Verifies the repository beside what else the service does, one run at a time, on a thread of its own. Safe from many threads. */
public final class CheckRepository implements AutoCloseable {

    /** Where the last run is. */
    public enum State {
        /** None was started since the service was. */
        NONE,
        RUNNING,
        /** There is a report. */
        ENDED,
        /** The store could not be read. */
        FAILED
    }

    /**
     * How far a run is.
     *
     * @param stage null before it began
     * @param done rows listed, commits or trees verified, as the stage says
     * @param total how many there will be; 0 if that is not known
     * @param failure why it failed; null unless it did
     * @param report null unless it ended
     */
    public record Status(
            State state,
            @Nullable CheckLevel level,
            @Nullable Instant startedAt,
            long elapsedMillis,
            @Nullable CheckStage stage,
            long done,
            long total,
            @Nullable String failure,
            @Nullable CheckReport report) {

        private static final Status NONE = new Status(State.NONE, null, null, 0, null, 0, 0, null, null);
    }

    private final RepositoryCheck check;
    private final InstantSource clock;
    private volatile Status status = Status.NONE;
    private volatile boolean toldToEnd;
    private @Nullable Thread thread;

    public CheckRepository(RepositoryCheck check, InstantSource clock) {
        this.check = check;
        this.clock = clock;
    }

    /**
     * Starts a run that verifies everything.
     *
     * @return false if one is under way, which goes on
     */
    public boolean startFull() {
        return start(CheckLevel.FULL);
    }

    /** As {@link #startFull}, of references and headers alone. */
    public boolean startQuick() {
        return start(CheckLevel.QUICK);
    }

    private synchronized boolean start(CheckLevel level) {
        if (thread != null && thread.isAlive()) {
            return false;
        }
        toldToEnd = false;
        Instant startedAt = clock.instant();
        status = new Status(State.RUNNING, level, startedAt, 0, null, 0, 0, null, null);
        thread = Thread.ofPlatform().name("repository-check").daemon().start(() -> run(level, startedAt));
        return true;
    }

    public Status status() {
        return status;
    }

    /** Tells a run that is under way to end, with what it has. Does not wait for it. */
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

    private void run(CheckLevel level, Instant startedAt) {
        try {
            CheckReport report = check.run(
                    level,
                    (stage, done, total) -> status = new Status(
                            State.RUNNING, level, startedAt, elapsed(startedAt), stage, done, total, null, null),
                    () -> toldToEnd);
            status = new Status(
                    State.ENDED,
                    level,
                    startedAt,
                    elapsed(startedAt),
                    status.stage(),
                    status.done(),
                    status.total(),
                    null,
                    report);
        } catch (StoreUnavailableException e) {
            fail(level, startedAt, String.valueOf(e.getMessage()));
        } catch (RuntimeException e) {
            fail(level, startedAt, e.toString());
            throw e;
        }
    }

    private void fail(CheckLevel level, Instant startedAt, String failure) {
        status = new Status(
                State.FAILED,
                level,
                startedAt,
                elapsed(startedAt),
                status.stage(),
                status.done(),
                status.total(),
                failure,
                null);
    }

    private long elapsed(Instant startedAt) {
        return Duration.between(startedAt, clock.instant()).toMillis();
    }
}
