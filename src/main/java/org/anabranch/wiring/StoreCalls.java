package org.anabranch.wiring;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.anabranch.store.MissingRowException;
import org.anabranch.store.OutcomeUnknownException;
import org.anabranch.store.StoreUnavailableException;
import org.anabranch.store.WriteOutcome;

/** Measures what is asked of a store, and makes it visible in traces. Safe from many threads. */
final class StoreCalls {

    /** What a store is asked for. */
    enum Operation {
        FIND,
        FETCH,
        LINKS,
        REFERENCE,
        REFERENCES,
        REPOSITORY,
        RECEIPTS,
        RECEIPTS_AFTER,
        NUMBERS,
        WRITE,
        TURN,
        FORGET_RECEIPT,
        FORGET_RECEIPTS,
        CLOCK,
        CONDEMN,
        CONDEMNED,
        SPARE,
        DELETE;

        private final String label = name().toLowerCase(Locale.ROOT);
    }

    private static final String TIMER = "anabranch.store.operation";

    private final MeterRegistry meters;
    private final String store;
    private final Traces traces;
    private final LongConsumer ofRequest;
    private final Map<Operation, Timer> worked = new EnumMap<>(Operation.class);
    private final Map<String, Counter> writes;

    /**
     * @param store its kind
     * @param ofRequest is told on the thread of each call how long it took, in nanoseconds
     */
    StoreCalls(MeterRegistry meters, String store, Traces traces, LongConsumer ofRequest) {
        this.meters = meters;
        this.store = store;
        this.traces = traces;
        this.ofRequest = ofRequest;
        for (Operation operation : Operation.values()) {
            worked.put(operation, timer(operation, "ok"));
        }
        this.writes = Labels.counters(
                meters,
                "anabranch.store.writes",
                "Conditional writes that the store answered, by how they ended",
                "outcome",
                "written",
                "reference_moved",
                "repository_changed",
                "receipt_taken",
                "adopted_missing");
    }

    private Timer timer(Operation operation, String outcome) {
        return Timer.builder(TIMER)
                .description("What the store took for one call")
                .tags("store", store, "operation", operation.label, "outcome", outcome)
                .register(meters);
    }

    /** Makes a call. */
    <T> T measure(Operation operation, Supplier<T> call) {
        Traces.Part part = traces.begin("store " + operation.label);
        Timer timer = worked.get(operation);
        long start = System.nanoTime();
        try {
            T result = call.get();
            if (result instanceof WriteOutcome outcome) {
                writes.get(label(outcome)).increment();
            }
            return result;
        } catch (RuntimeException e) {
            part.failed(e);
            timer = timer(operation, label(e));
            throw e;
        } finally {
            long took = System.nanoTime() - start;
            timer.record(took, TimeUnit.NANOSECONDS);
            ofRequest.accept(took);
            part.close();
        }
    }

    private static String label(WriteOutcome outcome) {
        return switch (outcome) {
            case WriteOutcome.Written written -> "written";
            case WriteOutcome.ReferenceMoved moved -> "reference_moved";
            case WriteOutcome.RepositoryChanged changed -> "repository_changed";
            case WriteOutcome.ReceiptTaken taken -> "receipt_taken";
            case WriteOutcome.AdoptedMissing missing -> "adopted_missing";
        };
    }

    private static String label(RuntimeException failure) {
        return switch (failure) {
            case StoreUnavailableException unavailable -> "unavailable";
            case OutcomeUnknownException unknown -> "unknown";
            case MissingRowException missing -> "missing";
            default -> "failed";
        };
    }
}
