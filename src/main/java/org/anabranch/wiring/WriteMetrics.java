package org.anabranch.wiring;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.anabranch.model.AppliedResult;
import org.anabranch.model.CommitOutcome;
import org.anabranch.model.Conflict;
import org.anabranch.model.ConflictType;
import org.anabranch.model.ErrorCode;
import org.anabranch.model.MergeOutcome;
import org.anabranch.model.RefusedException;
import org.anabranch.rest.SlowRequests;
import org.anabranch.versioning.commit.WriteListener;
import org.anabranch.versioning.commit.WriteResult;
import org.anabranch.versioning.commit.WriteTimes;

/** Measures the writes of branches, tells their requests where the time went, and makes them visible in traces. Safe from many threads. */
final class WriteMetrics implements WriteListener {

    /** How a commit, merge, transplant or revert ends at its branch. */
    private enum Ending {
        APPLIED,
        /** There was nothing to write. */
        UNCHANGED,
        CONFLICTED,
        /** It lost every race for the branch. */
        GAVE_UP,
        /** Nobody knows whether it was written. */
        UNDECIDED,
        /** The same request was applied before. */
        REPEATED,
        /** The request cannot be done as it is. */
        REFUSED,
        /** Too many others wanted the same branch. */
        CROWDED,
        /** The store, or a defect. */
        FAILED
    }

    private static final double[] COUNTS = {1, 2, 4, 8, 16, 32, 64, 128, 256};
    private static final double[] SIZES = {1 << 10, 1 << 12, 1 << 14, 1 << 16, 1 << 18, 1 << 20, 1 << 22, 1 << 24};

    private final Map<Ending, Timer> endings = new EnumMap<>(Ending.class);
    private final Timer waited;
    private final Timer judged;
    private final Counter attempts;
    private final DistributionSummary batchChanges;
    private final DistributionSummary batchCommits;
    private final DistributionSummary batchBytes;
    private final Map<String, Counter> conflicts;
    private final Refusals refusals;
    private final AtomicLong active = new AtomicLong();
    private final SlowRequests requests;
    private final Traces traces;

    WriteMetrics(MeterRegistry meters, Refusals refusals, SlowRequests requests, Traces traces) {
        this.refusals = refusals;
        this.requests = requests;
        this.traces = traces;
        for (Ending ending : Ending.values()) {
            endings.put(
                    ending,
                    Timer.builder("anabranch.write")
                            .description("What a commit, merge, transplant or revert took at its branch")
                            .tag("ending", Labels.of(ending))
                            .register(meters));
        }
        waited = timer(meters, "anabranch.write.wait", "How long a write waited for its branch");
        judged = timer(meters, "anabranch.write.judging", "How long a write was judged on the heads of its branch");
        attempts = Counter.builder("anabranch.write.attempts")
                .description("Heads that writes were judged on")
                .register(meters);
        batchChanges = summary(meters, "anabranch.batch.changes", "Requests that shared a durable write", COUNTS)
                .register(meters);
        batchCommits = summary(meters, "anabranch.batch.commits", "Commits in a durable write", COUNTS)
                .register(meters);
        batchBytes = summary(meters, "anabranch.batch.size", "Bytes of the commits in a durable write", SIZES)
                .baseUnit("bytes")
                .register(meters);
        conflicts = Labels.counters(
                meters,
                "anabranch.conflicts",
                "Conflicts that writes ended with",
                "type",
                Labels.of(ConflictType.values()));
        Gauge.builder("anabranch.writes.active", active, AtomicLong::get)
                .description("Writes that wait for their branch or are at work on it")
                .register(meters);
    }

    private static Timer timer(MeterRegistry meters, String name, String description) {
        return Timer.builder(name).description(description).register(meters);
    }

    private static DistributionSummary.Builder summary(
            MeterRegistry meters, String name, String description, double[] buckets) {
        return DistributionSummary.builder(name).description(description).serviceLevelObjectives(buckets);
    }

    @Override
    public Underway begun(String branch) {
        active.incrementAndGet();
        requests.writeBegun();
        return new Write(traces.begin("write branch"));
    }

    @Override
    public void published(int changes, int commits, long bytes) {
        batchChanges.record(changes);
        batchCommits.record(commits);
        batchBytes.record(bytes);
    }

    private final class Write implements Underway {

        private final Traces.Part part;

        private Write(Traces.Part part) {
            this.part = part;
        }

        @Override
        public void ended(WriteTimes times, WriteResult<?> result) {
            end(times, ending(result));
            conflictsOf(result).forEach(conflict -> count(conflict));
        }

        @Override
        public void failed(WriteTimes times, Throwable failure) {
            part.failed(failure);
            end(times, ending(failure));
        }

        private void end(WriteTimes times, Ending ending) {
            active.decrementAndGet();
            requests.writeEnded(times.waited(), times.judged(), times.stored());
            endings.get(ending).record(times.waited() + times.judged() + times.stored(), TimeUnit.NANOSECONDS);
            waited.record(times.waited(), TimeUnit.NANOSECONDS);
            judged.record(times.judged(), TimeUnit.NANOSECONDS);
            attempts.increment(times.attempts());
            part.note("anabranch.attempts", times.attempts());
            part.note("anabranch.waited_micros", TimeUnit.NANOSECONDS.toMicros(times.waited()));
            part.note("anabranch.judged_micros", TimeUnit.NANOSECONDS.toMicros(times.judged()));
            part.note("anabranch.stored_micros", TimeUnit.NANOSECONDS.toMicros(times.stored()));
            part.close();
        }
    }

    private void count(Conflict conflict) {
        conflicts.get(Labels.of(conflict.conflictType())).increment();
    }

    private static Ending ending(WriteResult<?> result) {
        return switch (result) {
            case WriteResult.Answered<?>(var answer) ->
                switch (answer) {
                    case AppliedResult applied -> Ending.APPLIED;
                    case CommitOutcome.Conflicted conflicted -> Ending.CONFLICTED;
                    case MergeOutcome.Conflicted conflicted -> Ending.CONFLICTED;
                    case MergeOutcome.NamespacesConflicted conflicted -> Ending.CONFLICTED;
                    default -> Ending.UNCHANGED;
                };
            case WriteResult.GaveUp<?> gaveUp -> Ending.GAVE_UP;
            case WriteResult.Undecided<?> undecided -> Ending.UNDECIDED;
            case WriteResult.Repeated<?> repeated -> Ending.REPEATED;
        };
    }

    private static List<Conflict> conflictsOf(WriteResult<?> result) {
        if (!(result instanceof WriteResult.Answered<?>(var answer))) {
            return List.of();
        }
        return switch (answer) {
            case CommitOutcome.Conflicted conflicted -> conflicted.conflicts();
            case MergeOutcome.Conflicted conflicted -> conflicted.conflicts();
            case MergeOutcome.NamespacesConflicted conflicted -> conflicted.conflicts();
            default -> List.of();
        };
    }

    private Ending ending(Throwable failure) {
        if (!(failure instanceof RefusedException refusal)) {
            return Ending.FAILED;
        }
        if (refusal.code() == ErrorCode.TOO_MANY_REQUESTS) {
            refusals.ofBranchQueue();
            return Ending.CROWDED;
        }
        if (refusal.code() == ErrorCode.SERVICE_UNAVAILABLE) {
            refusals.ofBranchTime();
            return Ending.CROWDED;
        }
        return Ending.REFUSED;
    }
}
