package org.anabranch.store;

import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * One process's turn at moving a reference, from {@link Store#turn}. For one thread, which must close it soon: others may wait.
 */
public interface Turn extends AutoCloseable {

    /** The reference when the turn began; empty if there was none. */
    Optional<ReferenceRow> reference();

    /** Says that the turn is still at work: a store may take away one that it hears nothing of. Costs a store trip at most. */
    void keep();

    /**
     * As {@link Store#write}, for a change of this turn's reference, and with all of its endings. Nothing but {@link #close} may
     * be called after it.
     */
    WriteOutcome write(List<CommitRow> rows, Collection<Long> adopted, Change change, List<Receipt> receipts);

    /** Ends the turn, and lets the next one begin. */
    @Override
    void close();

    /** A turn that nobody waits for, and that keeps nobody out: the reference as it was seen, and a write like any other. */
    static Turn ofNobody(Store store, Optional<ReferenceRow> reference) {
        return new Turn() {
            @Override
            public Optional<ReferenceRow> reference() {
                return reference;
            }

            @Override
            public void keep() {
                // Nothing is held.
            }

            @Override
            public WriteOutcome write(
                    List<CommitRow> rows, Collection<Long> adopted, Change change, List<Receipt> receipts) {
                return store.write(rows, adopted, change, receipts);
            }

            @Override
            public void close() {
                // Nothing is held.
            }
        };
    }
}
