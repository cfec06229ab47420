package org.anabranch.testing;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.Callable;
import java.util.concurrent.Delayed;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/**
 * A timer whose time passes by {@link #tick} alone. What is due runs on the thread of the caller, and as with the JDK's own timers a
 * task that fails has no later turns. Knows tasks at a fixed rate and nothing else. For one thread.
 */
public final class ManualTimer extends AbstractExecutorService implements ScheduledExecutorService {

    private final List<Turns> tasks = new ArrayList<>();
    private long nowNanos;
    private boolean isShutdown;

    /** Lets time pass, and runs what becomes due meanwhile. */
    public void tick(Duration time) {
        long until = nowNanos + time.toNanos();
        for (Turns task : List.copyOf(tasks)) {
            while (!isShutdown && tasks.contains(task) && task.nextNanos <= until) {
                nowNanos = Math.max(nowNanos, task.nextNanos);
                if (!task.turn()) {
                    tasks.remove(task);
                }
            }
        }
        nowNanos = until;
    }

    /** How many tasks have a turn to come. */
    public int tasks() {
        return isShutdown ? 0 : tasks.size();
    }

    @Override
    public ScheduledFuture<?> scheduleAtFixedRate(Runnable command, long delay, long period, TimeUnit unit) {
        Turns task = new Turns(command, nowNanos + unit.toNanos(delay), unit.toNanos(period));
        tasks.add(task);
        return task;
    }

    @Override
    public ScheduledFuture<?> schedule(Runnable command, long delay, TimeUnit unit) {
        throw new UnsupportedOperationException();
    }

    @Override
    public <V> ScheduledFuture<V> schedule(Callable<V> callable, long delay, TimeUnit unit) {
        throw new UnsupportedOperationException();
    }

    @Override
    public ScheduledFuture<?> scheduleWithFixedDelay(Runnable command, long delay, long period, TimeUnit unit) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void execute(Runnable command) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void shutdown() {
        isShutdown = true;
    }

    @Override
    public List<Runnable> shutdownNow() {
        isShutdown = true;
        return List.of();
    }

    @Override
    public boolean isShutdown() {
        return isShutdown;
    }

    @Override
    public boolean isTerminated() {
        return isShutdown;
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) {
        return isShutdown;
    }

    private final class Turns extends FutureTask<Void> implements ScheduledFuture<Void> {

        private final long periodNanos;
        private long nextNanos;

        Turns(Runnable command, long firstNanos, long periodNanos) {
            super(command, null);
            this.nextNanos = firstNanos;
            this.periodNanos = periodNanos;
        }

        /** Whether there is a next turn. */
        private boolean turn() {
            nextNanos += periodNanos;
            return runAndReset();
        }

        @Override
        public long getDelay(TimeUnit unit) {
            return unit.convert(nextNanos - nowNanos, TimeUnit.NANOSECONDS);
        }

        @Override
        public int compareTo(Delayed other) {
            return Long.compare(getDelay(TimeUnit.NANOSECONDS), other.getDelay(TimeUnit.NANOSECONDS));
        }
    }
}
