package org.anabranch.testing;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.anabranch.store.Change;
import org.anabranch.store.CommitRow;
import org.anabranch.store.Condemned;
import org.anabranch.store.OutcomeUnknownException;
import org.anabranch.store.Receipt;
import org.anabranch.store.ReferenceRow;
import org.anabranch.store.Store;
import org.anabranch.store.StoreUnavailableException;
import org.anabranch.store.Turn;
import org.anabranch.store.WriteOutcome;
import org.anabranch.store.WriteOutcome.Written;
import org.jspecify.annotations.Nullable;

/**
 * A store whose chosen writes go wrong. Writes are counted from 1; those without a planned fault pass on unharmed.
 *
 * <pre>{@code
 * FaultyStore store = new FaultyStore(new MemoryStore()).at(2, Fault.UNKNOWN_WRITTEN);
 * }</pre>
 */
public final class FaultyStore extends ForwardingStore {

    /** What goes wrong. */
    public enum Fault {
        /** The store is unavailable, and nothing was written. */
        BEFORE,
        /** Everything was written, and then the connection broke: the same as an unknown outcome to the caller. */
        UNKNOWN_WRITTEN,
        /** Nothing was written, and the caller cannot know. */
        UNKNOWN_NOT_WRITTEN,
        /** Nothing was written yet; it is when the next write arrives, before that one. */
        UNKNOWN_WRITTEN_LATE
    }

    private final Map<Integer, Runnable> before = new HashMap<>();
    private final Map<Integer, Fault> faults = new HashMap<>();
    private IntFunction<@Nullable Fault> otherFaults = write -> null;
    private Runnable late = () -> {};
    private final Map<Integer, Runnable> beforeTurn = new ConcurrentHashMap<>();
    private volatile Supplier<OptionalLong> clock;
    private final AtomicInteger turns = new AtomicInteger();
    private final AtomicInteger turnsKept = new AtomicInteger();
    private final AtomicInteger readsToFail = new AtomicInteger();
    private int readsToFailAfterFault;
    private int writes;

    public FaultyStore(Store delegate) {
        super(delegate);
        this.clock = delegate::clockMicros;
    }

    /** Gives the store a clock of its own, which its processes share. */
    public FaultyStore clock(LongSupplier micros) {
        clock = () -> OptionalLong.of(micros.getAsLong());
        return this;
    }

    /** Plans a fault at the n-th write. */
    public synchronized FaultyStore at(int write, Fault fault) {
        faults.put(write, fault);
        return this;
    }

    /** Asks for a fault at every write that none is planned for; null for none. */
    public synchronized FaultyStore otherwise(IntFunction<@Nullable Fault> faults) {
        this.otherFaults = faults;
        return this;
    }

    /** Makes that many readings of references fail after each write that went wrong, as the store is still away then. */
    public synchronized FaultyStore failingReadsAfterFaults(int reads) {
        this.readsToFailAfterFault = reads;
        return this;
    }

    /** Lets somebody else in right before the n-th write: what it writes to the delegate comes first. */
    public synchronized FaultyStore foreignFirst(int write, Runnable foreign) {
        before.put(write, foreign);
        return this;
    }

    /** Takes back every plan; what was to be written late is written now. */
    public synchronized void heal() {
        faults.clear();
        before.clear();
        otherFaults = write -> null;
        readsToFail.set(0);
        readsToFailAfterFault = 0;
        land();
    }

    /** Lets what is still to be written late be written now. */
    public synchronized void land() {
        Runnable landing = late;
        late = () -> {};
        landing.run();
    }

    /** Writes that were tried so far, those that went wrong included. */
    public synchronized int writes() {
        return writes;
    }

    @Override
    public WriteOutcome write(List<CommitRow> rows, Collection<Long> adopted, Change change, List<Receipt> receipts) {
        return write(
                () -> delegate.write(rows, adopted, change, receipts),
                () -> delegate.write(rows, adopted, change, receipts));
    }

    /** Turns that were begun so far. */
    public int turns() {
        return turns.get();
    }

    /** How often turns were said to be at work so far. */
    public int turnsKept() {
        return turnsKept.get();
    }

    /** Lets somebody do something while the n-th turn is waited for. */
    public void whileWaiting(int turn, Runnable meanwhile) {
        beforeTurn.put(turn, meanwhile);
    }

    @Override
    public Turn turn(String name) {
        failIfPlanned();
        beforeTurn.getOrDefault(turns.incrementAndGet(), () -> {}).run();
        Turn turn = delegate.turn(name);
        return new Turn() {
            @Override
            public Optional<ReferenceRow> reference() {
                return turn.reference();
            }

            @Override
            public void keep() {
                turnsKept.incrementAndGet();
                turn.keep();
            }

            @Override
            public WriteOutcome write(
                    List<CommitRow> rows, Collection<Long> adopted, Change change, List<Receipt> receipts) {
                return FaultyStore.this.write(
                        () -> turn.write(rows, adopted, change, receipts),
                        () -> delegate.write(rows, adopted, change, receipts));
            }

            @Override
            public void close() {
                turn.close();
            }
        };
    }

    private synchronized WriteOutcome write(Supplier<WriteOutcome> now, Supplier<WriteOutcome> later) {
        writes++;
        land();
        before.getOrDefault(writes, () -> {}).run();
        Fault fault = faults.containsKey(writes) ? faults.get(writes) : otherFaults.apply(writes);
        if (fault == null) {
            return now.get();
        }
        readsToFail.set(readsToFailAfterFault);
        switch (fault) {
            case BEFORE -> throw new StoreUnavailableException("Planned: unavailable", null);
            case UNKNOWN_NOT_WRITTEN -> throw unknown();
            case UNKNOWN_WRITTEN_LATE -> {
                late = later::get;
                throw unknown();
            }
            case UNKNOWN_WRITTEN -> {
                WriteOutcome outcome = now.get();
                if (!(outcome instanceof Written)) {
                    return outcome;
                }
                throw unknown();
            }
        }
        throw new AssertionError(fault);
    }

    @Override
    public Optional<ReferenceRow> reference(String name) {
        failIfPlanned();
        return delegate.reference(name);
    }

    @Override
    public OptionalLong clockMicros() {
        return clock.get();
    }

    @Override
    public void condemn(Collection<Long> numbers, long atMicros) {
        change(() -> {
            delegate.condemn(numbers, atMicros);
            return 0;
        });
    }

    @Override
    public void spare(Collection<Long> numbers) {
        change(() -> {
            delegate.spare(numbers);
            return 0;
        });
    }

    @Override
    public int delete(Collection<Condemned> marks) {
        return change(() -> delegate.delete(marks));
    }

    /** A change of marks: counted and planned for as a write. */
    private synchronized int change(Supplier<Integer> change) {
        int[] result = {0};
        Supplier<WriteOutcome> now = () -> {
            result[0] = change.get();
            return new Written();
        };
        write(now, now);
        return result[0];
    }

    /** Not behind a write that is under way, which may wait for what is read meanwhile. */
    private void failIfPlanned() {
        if (readsToFail.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
            throw new StoreUnavailableException("Planned: not to be read", null);
        }
    }

    private static OutcomeUnknownException unknown() {
        return new OutcomeUnknownException("Planned: unknown outcome", new IllegalStateException("broken connection"));
    }
}
