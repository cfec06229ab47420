package org.anabranch.wiring;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.TimeGauge;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.ToDoubleFunction;
import org.anabranch.service.BackgroundRun;
import org.anabranch.versioning.check.CheckReport;
import org.anabranch.versioning.sweep.SweepMode;
import org.anabranch.versioning.sweep.SweepReport;
import org.jspecify.annotations.Nullable;

/**
 * Counts how runs of one kind end, and remembers when the last one did.
 *
 * @param <R> what a run reports
 */
final class RunMetrics<R> implements BackgroundRun.Listener<R> {

    private static final String ENDED = "ended";
    private static final String FAILED = "failed";

    private final BackgroundRun.Listener<R> log;
    private final Consumer<R> ofReport;
    private final InstantSource clock;
    private final Map<String, Counter> outcomes;
    private volatile double endedAtMillis = Double.NaN;

    /**
     * @param run its kind
     * @param log hears the same
     * @param ofReport measures what the report tells
     */
    private RunMetrics(
            MeterRegistry meters,
            String run,
            InstantSource clock,
            BackgroundRun.Listener<R> log,
            Consumer<R> ofReport) {
        this.log = log;
        this.ofReport = ofReport;
        this.clock = clock;
        this.outcomes = Map.of(ENDED, outcome(meters, run, ENDED), FAILED, outcome(meters, run, FAILED));
        TimeGauge.builder("anabranch.run.last.end", this, TimeUnit.MILLISECONDS, metrics -> metrics.endedAtMillis)
                .description("When the last run went through, in seconds since the epoch")
                .tag("run", run)
                .register(meters);
    }

    /** Of checks of the repository. */
    static BackgroundRun.Listener<CheckReport> ofChecks(
            MeterRegistry meters, InstantSource clock, BackgroundRun.Listener<CheckReport> log) {
        AtomicReference<@Nullable CheckReport> last = new AtomicReference<>();
        gauge(
                meters,
                "anabranch.check.findings",
                "What the last check found",
                last,
                report -> report.findings().size());
        gauge(meters, "anabranch.check.commits", "Commits that the last check verified", last, CheckReport::verified);
        return new RunMetrics<>(meters, "check", clock, log, last::set);
    }

    /** Of sweeps of the store; dry ones change nothing that is measured. */
    static BackgroundRun.Listener<SweepReport> ofSweeps(
            MeterRegistry meters, InstantSource clock, BackgroundRun.Listener<SweepReport> log) {
        AtomicReference<@Nullable SweepReport> last = new AtomicReference<>();
        gauge(meters, "anabranch.sweep.store.rows", "Commit rows that the last sweep listed", last, SweepReport::rows);
        gauge(
                meters,
                "anabranch.sweep.waiting.rows",
                "Condemned rows that the last sweep left for a later one",
                last,
                report -> report.waiting() + report.condemned());
        Map<String, Counter> rows = Labels.counters(
                meters,
                "anabranch.sweep.rows",
                "Commit rows that sweeps condemned, spared and deleted",
                "fate",
                "condemned",
                "spared",
                "deleted");
        return new RunMetrics<>(meters, "sweep", clock, log, report -> {
            if (report.mode() == SweepMode.SWEEP) {
                last.set(report);
                rows.get("condemned").increment(report.condemned());
                rows.get("spared").increment(report.spared());
                rows.get("deleted").increment(report.deleted());
            }
        });
    }

    /** Of exports of the repository. */
    static <R> BackgroundRun.Listener<R> ofExports(
            MeterRegistry meters, InstantSource clock, BackgroundRun.Listener<R> log) {
        return new RunMetrics<>(meters, "export", clock, log, report -> {});
    }

    private static <R> void gauge(
            MeterRegistry meters,
            String name,
            String description,
            AtomicReference<@Nullable R> last,
            ToDoubleFunction<R> value) {
        Gauge.builder(name, () -> {
                    R report = last.get();
                    return report == null ? Double.NaN : value.applyAsDouble(report);
                })
                .description(description)
                .register(meters);
    }

    private static Counter outcome(MeterRegistry meters, String run, String outcome) {
        return Counter.builder("anabranch.runs")
                .description("Runs on the whole store, by how they ended")
                .tags("run", run, "outcome", outcome)
                .register(meters);
    }

    @Override
    public void ended(R report) {
        endedAtMillis = clock.instant().toEpochMilli();
        outcomes.get(ENDED).increment();
        ofReport.accept(report);
        log.ended(report);
    }

    @Override
    public void failed(Throwable cause) {
        outcomes.get(FAILED).increment();
        log.failed(cause);
    }
}
