package org.anabranch.service;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.anabranch.service.RequestUnderFaults.Kind;
import org.anabranch.store.memory.MemoryStore;
import org.anabranch.testing.FaultyStore;
import org.anabranch.testing.FaultyStore.Fault;
import org.anabranch.testing.ReferenceCatalog;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/**
 * Every kind of request under every fault at every write, one and two in a row, and for so long that the request's time is up
 * first; also when the store cannot be read after a fault. After every answer the reference is where it was or where it should
 * be, never between, and what the answer says is true. A client that repeats the request finds it applied once.
 */
class FaultMatrixTest {

    /** What happens at one write. */
    private enum Event {
        UNAVAILABLE,
        WRITTEN,
        NOT_WRITTEN,
        WRITTEN_LATE,
        SOMEBODY_ELSE_FIRST
    }

    private static final List<Event> FAULTS =
            List.of(Event.UNAVAILABLE, Event.WRITTEN, Event.NOT_WRITTEN, Event.WRITTEN_LATE);

    /** So many that a request gives up before they end. */
    private static final int TOO_MANY = 40;

    /** What each kind leads to if nothing goes wrong. */
    private static final Map<Kind, String> UNDISTURBED = new HashMap<>();

    @ParameterizedTest(name = "{0}")
    @FieldSource("org.anabranch.service.RequestUnderFaults#KINDS")
    void one(Kind kind) {
        for (Event event : Event.values()) {
            under(kind, List.of(event), 0, 1, TOO_MANY);
        }
    }

    @ParameterizedTest(name = "{0}")
    @FieldSource("org.anabranch.service.RequestUnderFaults#KINDS")
    void twoInARow(Kind kind) {
        for (Event first : Event.values()) {
            for (Event second : Event.values()) {
                under(kind, List.of(first, second), 0, 1);
            }
        }
    }

    @ParameterizedTest(name = "{0}")
    @FieldSource("org.anabranch.service.RequestUnderFaults#KINDS")
    void untilTheRequestsTimeIsUp(Kind kind) {
        for (Event fault : FAULTS) {
            under(kind, Collections.nCopies(TOO_MANY, fault), 0, 1, TOO_MANY);
        }
        List<Event> unknownAndThenAway = new ArrayList<>(List.of(Event.NOT_WRITTEN));
        unknownAndThenAway.addAll(Collections.nCopies(TOO_MANY, Event.UNAVAILABLE));
        under(kind, unknownAndThenAway, 0, 1, TOO_MANY);
    }

    /** @param readsThatFail after each fault, one number after the other */
    private static void under(Kind kind, List<Event> events, int... readsThatFail) {
        for (int failingReads : readsThatFail) {
            for (boolean withKey : new boolean[] {true, false}) {
                check(kind, events, failingReads, withKey);
            }
        }
    }

    private static void check(Kind kind, List<Event> events, int failingReads, boolean withKey) {
        MemoryStore memory = new MemoryStore();
        RequestUnderFaults request = new RequestUnderFaults(
                kind,
                memory,
                withKey,
                (events.size() > 2 ? events.get(0) + "..." : events) + ", reads that fail: " + failingReads);
        FaultyStore store = new FaultyStore(memory).failingReadsAfterFaults(failingReads);
        for (int i = 0; i < events.size(); i++) {
            plan(store, i + 1, events.get(i), request);
        }
        String after =
                UNDISTURBED.computeIfAbsent(kind, each -> RequestUnderFaults.undisturbed(each, new MemoryStore()));
        request.check(ReferenceCatalog.process(store, memory, 1_000_000), after, store::heal);
    }

    private static void plan(FaultyStore store, int write, Event event, RequestUnderFaults request) {
        switch (event) {
            case UNAVAILABLE -> store.at(write, Fault.BEFORE);
            case WRITTEN -> store.at(write, Fault.UNKNOWN_WRITTEN);
            case NOT_WRITTEN -> store.at(write, Fault.UNKNOWN_NOT_WRITTEN);
            case WRITTEN_LATE -> store.at(write, Fault.UNKNOWN_WRITTEN_LATE);
            case SOMEBODY_ELSE_FIRST -> store.foreignFirst(write, () -> request.commitForeign(write));
        }
    }
}
