package org.anabranch.wiring;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.anabranch.service.BackgroundRun;
import org.anabranch.versioning.sweep.SweepMode;
import org.anabranch.versioning.sweep.SweepReport;
import org.junit.jupiter.api.Test;

/** What is measured of sweeps; that they are told to the log as before. */
class RunMetricsTest {

    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final List<Object> log = new ArrayList<>();
    private final BackgroundRun.Listener<SweepReport> metrics =
            RunMetrics.ofSweeps(meters, () -> Instant.ofEpochSecond(1_000), new BackgroundRun.Listener<>() {
                @Override
                public void ended(SweepReport report) {
                    log.add(report);
                }

                @Override
                public void failed(Throwable cause) {
                    log.add(cause);
                }
            });

    private static SweepReport report(SweepMode mode, int deleted) {
        return new SweepReport(mode, true, 3, 0, 100, 80, 1, deleted, 4, 5);
    }

    private double rows(String fate) {
        return meters.get("anabranch.sweep.rows").tag("fate", fate).counter().count();
    }

    @Test
    void rowsAddUpAndTheLastReportStands() {
        assertThat(meters.get("anabranch.sweep.store.rows").gauge().value()).isNaN();

        metrics.ended(report(SweepMode.SWEEP, 10));
        metrics.ended(report(SweepMode.SWEEP, 7));

        assertThat(rows("deleted")).isEqualTo(17);
        assertThat(rows("condemned")).isEqualTo(10);
        assertThat(rows("spared")).isEqualTo(2);
        assertThat(meters.get("anabranch.sweep.store.rows").gauge().value()).isEqualTo(100);
        assertThat(meters.get("anabranch.sweep.waiting.rows").gauge().value()).isEqualTo(9);
        assertThat(meters.get("anabranch.run.last.end").timeGauge().value()).isEqualTo(1_000);
        assertThat(log).hasSize(2);
    }

    @Test
    void whatADryRunWouldDoIsNotCounted() {
        metrics.ended(report(SweepMode.DRY_RUN, 10));

        assertThat(rows("deleted")).isZero();
        assertThat(meters.get("anabranch.runs")
                        .tag("outcome", "ended")
                        .counter()
                        .count())
                .isEqualTo(1);
    }

    @Test
    void aFailureIsCountedAndIsNoEnd() {
        metrics.failed(new IllegalStateException("broken"));

        assertThat(meters.get("anabranch.runs")
                        .tag("outcome", "failed")
                        .counter()
                        .count())
                .isEqualTo(1);
        assertThat(meters.get("anabranch.run.last.end").timeGauge().value()).isNaN();
        assertThat(log).hasSize(1);
    }
}
