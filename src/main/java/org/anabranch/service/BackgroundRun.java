package org.anabranch.service;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A long task on the whole store, beside what else the service does: one run at a time, on a thread of its own. Safe from many threads.
 *
 * @param <M> what a run may do
 * @param <S> where it can be
 * @param <R> what it tells in the end
 */
public final class BackgroundRun<M extends Enum<M>, S extends Enum<S>, R> implements AutoCloseable {

    /** Where the last run is. */
    public enum State {
        /** None was started since the service was. */
        NONE,
        RUNNING,
        /** There is a report. */
        ENDED,
        /** There is none: the store did not work, or the task could not go on. */
        FAILED
    }

    /**
     * How far a run is.
     *
     * @param mode null before the first
     * @param stage null before it began
     * @param done how many of what the stage works on
     * @param total how many there will be; 0 if that is not known
     * @param failure why it failed; null unless it did
     * @param report null unless it ended
     */
    public record Status<M, S, R>(
            State state,
            @Nullable M mode,
            @Nullable Instant startedAt,
            long elapsedMillis,
            @Nullable S stage,
            long done,
            long total,
            @Nullable String failure,
            @Nullable R report) {

        private Status<M, S, R> at(S now, long nowDone, long nowTotal, long elapsed) {
            return new Status<>(state, mode, startedAt, elapsed, now, nowDone, nowTotal, null, null);
        }

        private Status<M, S, R> ended(R found, long elapsed) {
            return new Status<>(State.ENDED, mode, startedAt, elapsed, stage, done, total, null, found);
        }

        private Status<M, S, R> failed(Throwable cause, long elapsed) {
            String why = cause.getMessage() == null ? cause.toString() : cause.getMessage();
            return new Status<>(State.FAILED, mode, startedAt, elapsed, stage, done, total, why, null);
        }
    }

    /** Is told how far a run is, on its thread. */
    @FunctionalInterface
    public interface Progress<S> {

        /** @param total 0 if it is not known */
        void at(S stage, long done, long total);
    }

    /** What a run does. */
    @FunctionalInterface
    public interface Task<M, S, R> {

        /** @param isToldToEnd asked now and then; the task ends early then, with what it has */
        R run(M mode, Progress<S> progress, BooleanSupplier isToldToEnd);
    }

    /** Hears of each run how it ended, on its thread. */
    public interface Listener<R> {

        void ended(R report);

        void failed(Throwable cause);
    }

    private final String name;
    private final Task<M, S, R> task;
    private final Listener<R> listener;
    private final InstantSource clock;
    private volatile Status<M, S, R> status = new Status<>(State.NONE, null, null, 0, null, 0, 0, null, null);
    private volatile boolean toldToEnd;
    private @Nullable Thread thread;

    /** @param name of the thread */
    public BackgroundRun(String name, Task<M, S, R> task, Listener<R> listener, InstantSource clock) {
        this.name = name;
        this.task = task;
        this.listener = listener;
        this.clock = clock;
    }

    /**
     * Starts a run.
     *
     * @return false if one is under way, which goes on
     */
    public synchronized boolean start(M mode) {
        if (thread != null && thread.isAlive()) {
            return false;
        }
        toldToEnd = false;
        Instant startedAt = clock.instant();
        status = new Status<>(State.RUNNING, mode, startedAt, 0, null, 0, 0, null, null);
        thread = Thread.ofPlatform().name(name).daemon().start(() -> run(mode, startedAt));
        return true;
    }

    public Status<M, S, R> status() {
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

    private void run(M mode, Instant startedAt) {
        try {
            R report = task.run(
                    mode,
                    (stage, done, total) -> status = status.at(stage, done, total, elapsed(startedAt)),
                    () -> toldToEnd);
            status = status.ended(report, elapsed(startedAt));
            listener.ended(report);
        } catch (RuntimeException | Error e) {
            status = status.failed(e, elapsed(startedAt));
            listener.failed(e);
        }
    }

    private long elapsed(Instant startedAt) {
        return Duration.between(startedAt, clock.instant()).toMillis();
    }
}
