package org.anabranch.wiring;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.anabranch.service.BackgroundRun;
import org.anabranch.versioning.sweep.SweepMode;

/** Starts a sweep now and then, if it is told to. Several processes may do so on one store; one of them is enough. */
final class SweepSchedule implements AutoCloseable {

    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("sweep-schedule").daemon().factory());

    /** @param interval between the starts of two sweeps, the first of which begins one interval from now; empty for none */
    SweepSchedule(BackgroundRun<SweepMode, ?, ?> sweep, Optional<Duration> interval) {
        interval.ifPresent(every -> timer.scheduleAtFixedRate(
                () -> sweep.start(SweepMode.SWEEP), every.toMillis(), every.toMillis(), TimeUnit.MILLISECONDS));
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }
}
