package org.anabranch.wiring;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Map;
import java.util.stream.Stream;
import org.anabranch.rest.RefusalListener;

/** Counts the requests that are refused because the service, or a branch, has too much to do. Safe from many threads. */
final class Refusals implements RefusalListener {

    private static final String BRANCH_QUEUE = "branch_queue";
    private static final String BRANCH_TIME = "branch_time";

    private final Map<String, Counter> counters;

    Refusals(MeterRegistry meters) {
        counters = Labels.counters(
                meters,
                "anabranch.refusals",
                "Requests refused for what there is to do, by what there is not enough of",
                "reason",
                Stream.concat(Stream.of(BRANCH_QUEUE, BRANCH_TIME), Stream.of(Labels.of(Reason.values())))
                        .toArray(String[]::new));
    }

    @Override
    public void refused(Reason reason) {
        counters.get(Labels.of(reason)).increment();
    }

    /** As many writes wait for the branch as may. */
    void ofBranchQueue() {
        counters.get(BRANCH_QUEUE).increment();
    }

    /** The write waited for its branch as long as it may. */
    void ofBranchTime() {
        counters.get(BRANCH_TIME).increment();
    }
}
