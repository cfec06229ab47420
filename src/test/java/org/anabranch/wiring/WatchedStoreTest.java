package org.anabranch.wiring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.anabranch.model.ReferenceKind;
import org.anabranch.store.Change;
import org.anabranch.store.Head;
import org.anabranch.store.OutcomeUnknownException;
import org.anabranch.store.ReferenceRow;
import org.anabranch.store.StoreUnavailableException;
import org.anabranch.store.Turn;
import org.anabranch.store.memory.MemoryStore;
import org.anabranch.testing.FaultyStore;
import org.anabranch.testing.FaultyStore.Fault;
import org.junit.jupiter.api.Test;

/** A store that fails is told of once when it begins and once when it ends. */
class WatchedStoreTest {

    private final List<String> log = new ArrayList<>();
    private Instant now = Instant.parse("2026-01-31T12:00:00Z");
    private final FaultyStore faulty = new FaultyStore(new MemoryStore());
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final AtomicLong nanosOfRequest = new AtomicLong();
    private final WatchedStore store = new WatchedStore(
            faulty,
            () -> now,
            new StoreCalls(meters, "memory", Traces.OFF, nanosOfRequest::addAndGet),
            log::add,
            log::add);

    private void create(String name) {
        ReferenceRow row =
                new ReferenceRow(name, ReferenceKind.BRANCH, Head.NO_ANCESTOR, store.numbers(1), 1, 0, List.of());
        store.write(List.of(), List.of(), new Change.OfReference(name, null, row), List.of());
    }

    private void fails(String name) {
        assertThatThrownBy(() -> create(name))
                .isInstanceOfAny(StoreUnavailableException.class, OutcomeUnknownException.class);
    }

    private void tick(int seconds) {
        now = now.plus(Duration.ofSeconds(seconds));
    }

    private long calls(String operation, String outcome) {
        return meters.get("anabranch.store.operation")
                .tags("store", "memory", "operation", operation, "outcome", outcome)
                .timer()
                .count();
    }

    @Test
    void callsAreMeasuredByWhatTheyAskForAndHowTheyEnd() {
        create("a");
        create("a");
        faulty.at(3, Fault.BEFORE);
        fails("b");

        assertThat(calls("write", "ok")).isEqualTo(2);
        assertThat(calls("write", "unavailable")).isEqualTo(1);
        assertThat(calls("numbers", "ok")).isEqualTo(3);
        assertThat(meters.get("anabranch.store.writes")
                        .tag("outcome", "reference_moved")
                        .counter()
                        .count())
                .isEqualTo(1);
        assertThat(nanosOfRequest.get()).isPositive();
    }

    @Test
    void aTurnIsMeasuredAndSoIsItsWrite() {
        create("a");
        try (Turn turn = store.turn("a")) {
            ReferenceRow seen = turn.reference().orElseThrow();
            ReferenceRow next = seen.movedTo(Head.NO_ANCESTOR, List.of());
            turn.write(List.of(), List.of(), new Change.OfReference("a", seen, next), List.of());
        }

        assertThat(calls("turn", "ok")).isEqualTo(1);
        assertThat(calls("write", "ok")).isEqualTo(2);
    }

    @Test
    void aStoreThatWorksIsNotSpokenOf() {
        create("a");

        assertThat(log).isEmpty();
        assertThat(store.failsToWriteSince()).isEmpty();
    }

    @Test
    void anOutageIsToldOnceAndItsEndIsToldOnce() {
        for (int write = 1; write <= 3; write++) {
            faulty.at(write, write == 2 ? Fault.UNKNOWN_NOT_WRITTEN : Fault.BEFORE);
            fails("a");
            // The calls between the faults work, which ends nothing yet.
            assertThat(log)
                    .containsExactly("The store cannot be written: Planned: unavailable."
                            + " Requests that need it are answered 503 until it can.");
        }
        assertThat(store.failsToWriteSince()).contains(Instant.parse("2026-01-31T12:00:00Z"));
        tick(7);
        create("a");
        create("b");

        assertThat(log).hasSize(2);
        assertThat(log.getLast()).isEqualTo("The store can be written again, 7 s after it began to fail");
        assertThat(store.failsToWriteSince()).isEmpty();
    }

    @Test
    void readingIsAnotherMatter() {
        faulty.at(1, Fault.UNKNOWN_NOT_WRITTEN).failingReadsAfterFaults(1);
        fails("a");
        assertThatThrownBy(() -> store.reference("a")).isInstanceOf(StoreUnavailableException.class);
        tick(2);
        assertThat(store.reference("a")).isEmpty();

        assertThat(log).hasSize(3);
        assertThat(log.get(1)).startsWith("The store cannot be read: Planned: not to be read.");
        assertThat(log.get(2)).isEqualTo("The store can be read again, 2 s after it began to fail");
        assertThat(store.failsToWriteSince()).isPresent();
    }

    @Test
    void aClockThatIsSetBackEndsNothingForEver() {
        faulty.at(1, Fault.BEFORE);
        fails("a");
        tick(-3_600);
        create("a");

        assertThat(log.getLast()).startsWith("The store can be written again");
    }
}
