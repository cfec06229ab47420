package org.anabranch.wiring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.anabranch.service.BackgroundRun;
import org.anabranch.testing.ManualTimer;
import org.anabranch.versioning.sweep.SweepMode;
import org.anabranch.versioning.sweep.SweepReport;
import org.anabranch.versioning.sweep.SweepStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** When the service sweeps its store by itself. */
class SweepScheduleTest {

    private static final Duration DAY = Duration.ofDays(1);
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final ManualTimer timer = new ManualTimer();
    private final List<SweepMode> begun = new CopyOnWriteArrayList<>();
    private final CountDownLatch goOn = new CountDownLatch(1);
    private boolean isHeld;
    private boolean isClockBroken;

    private final BackgroundRun<SweepMode, SweepStage, SweepReport> sweep = new BackgroundRun<>(
            "sweep",
            (mode, progress, isToldToEnd) -> {
                begun.add(mode);
                if (isHeld) {
                    await(goOn);
                }
                return new SweepReport(mode, true, 0, 0, 0, 0, 0, 0, 0, 0);
            },
            new BackgroundRun.Listener<>() {
                @Override
                public void ended(SweepReport report) {}

                @Override
                public void failed(Throwable cause) {
                    throw new IllegalStateException(cause);
                }
            },
            clock());

    private InstantSource clock() {
        return () -> {
            if (isClockBroken) {
                throw new IllegalStateException("no time today");
            }
            return Instant.EPOCH;
        };
    }

    @AfterEach
    void end() {
        goOn.countDown();
        sweep.close();
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private SweepSchedule every(Duration interval) {
        return new SweepSchedule(sweep, Optional.of(interval), timer);
    }

    /** Lets time pass, and a sweep that begins come to its end. */
    private void pass(Duration time) {
        timer.tick(time);
        sweep.close();
    }

    @Test
    void aSweepBeginsAfterEachInterval() {
        try (SweepSchedule schedule = every(DAY)) {
            assertThat(schedule).isNotNull();
            pass(DAY.minus(MINUTE));
            assertThat(begun).isEmpty();
            pass(MINUTE);
            assertThat(begun).containsExactly(SweepMode.SWEEP);
            pass(DAY.minus(MINUTE));
            assertThat(begun).hasSize(1);
            pass(MINUTE);
            assertThat(begun).hasSize(2);
        }
    }

    @Test
    void aSweepThatIsUnderWayGoesOnAloneAndTheTurnAfterItIsTaken() {
        isHeld = true;
        try (SweepSchedule schedule = every(DAY)) {
            assertThat(schedule).isNotNull();
            timer.tick(DAY);
            timer.tick(DAY);
            timer.tick(DAY);
            goOn.countDown();
            sweep.close();
            assertThat(begun).hasSize(1);
            pass(DAY);
            assertThat(begun).hasSize(2);
        }
    }

    @Test
    void aSweepThatCouldNotBeginLeavesTheScheduleAsItIs() {
        try (SweepSchedule schedule = every(DAY)) {
            assertThat(schedule).isNotNull();
            isClockBroken = true;
            pass(DAY);
            assertThat(begun).isEmpty();
            isClockBroken = false;
            pass(DAY);
            assertThat(begun).hasSize(1);
        }
    }

    @Test
    void afterItsEndNoSweepBegins() {
        every(DAY).close();
        pass(DAY.multipliedBy(2));
        assertThat(begun).isEmpty();
        assertThat(timer.isShutdown()).isTrue();
    }

    @Test
    void itIsOffUnlessItIsSet() {
        AnabranchConfig config = OfflineStore.of(Map.of()).config();
        assertThat(config.sweep().interval()).isEmpty();
        try (SweepSchedule schedule = new SweepSchedule(sweep, config.sweep().interval(), timer)) {
            assertThat(schedule).isNotNull();
            assertThat(timer.tasks()).isZero();
        }
    }

    @Test
    void anIntervalBelowAMinuteIsRefused() {
        AnabranchConfig config =
                OfflineStore.of(Map.of("anabranch.sweep.interval", "59S")).config();
        assertThatThrownBy(() -> new UseCases().sweepSchedule(sweep, config))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("anabranch.sweep.interval (PT59S) must be a minute at least; leave it out for none");
    }
}
