package org.anabranch.wiring;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.anabranch.service.BackgroundRun;
import org.anabranch.versioning.sweep.SweepMode;
import org.jboss.logging.Logger;

/** Starts a sweep now and then, if it is told to. Several processes may do so on one store; one of them is enough. */
final class SweepSchedule implements AutoCloseable {

    private static final Logger LOG = Logger.getLogger("anabranch");

    private final BackgroundRun<SweepMode, ?, ?> sweep;
    private final ScheduledExecutorService timer;

    /** @param interval between the starts of two sweeps, the first of which begins one interval from now; empty for none */
    SweepSchedule(BackgroundRun<SweepMode, ?, ?> sweep, Optional<Duration> interval) {
        this(
                sweep,
                interval,
                Executors.newSingleThreadScheduledExecutor(
                        Thread.ofPlatform().name("sweep-schedule").daemon().factory()));
    }

    /** @param timer counts the time, and is closed with this */
    SweepSchedule(BackgroundRun<SweepMode, ?, ?> sweep, Optional<Duration> interval, ScheduledExecutorService timer) {
        this.sweep = sweep;
        this.timer = timer;
        interval.ifPresent(every ->
                timer.scheduleAtFixedRate(this::start, every.toMillis(), every.toMillis(), TimeUnit.MILLISECONDS));
    }

    /** Leaves out its turn if the one before still runs. What fails here would end the timer's later turns. */
    private void start() {
        try {
            sweep.start(SweepMode.SWEEP);
        } catch (RuntimeException | Error e) {
            LOG.warnf("The sweep of the store did not start, and the next one is due as before: %s", e);
        }
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }
}
