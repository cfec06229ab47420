package org.anabranch.versioning.refs;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.anabranch.store.Change;
import org.anabranch.store.CommitRow;
import org.anabranch.store.Head;
import org.anabranch.store.Receipt;
import org.anabranch.store.ReferenceRow;
import org.anabranch.store.Turn;

/** A reference as it was seen, and one try to move it from there. For one thread. */
public final class HeadTurn implements AutoCloseable {

    private final Turn turn;
    private final RecentHeadsLimit limit;

    HeadTurn(Turn turn, RecentHeadsLimit limit) {
        this.turn = turn;
        this.limit = limit;
    }

    /** The reference when the turn began; empty if there was none. */
    public Optional<ReferenceRow> row() {
        return turn.reference();
    }

    /** Says that this turn is still at work, see {@link Turn#keep}. */
    public void keep() {
        turn.keep();
    }

    /** As {@link HeadPublisher#publish}, once. */
    public PublishOutcome publish(
            List<CommitRow> rows,
            Collection<Long> adopted,
            ReferenceRow seen,
            Head newHead,
            long nowMicros,
            List<Receipt> receipts) {
        ReferenceRow next = HeadPublisher.moved(seen, newHead, nowMicros, limit);
        return HeadPublisher.outcome(
                turn.write(rows, adopted, new Change.OfReference(seen.name(), seen, next), receipts), next);
    }

    /** Lets others move the reference, if they had to wait. */
    @Override
    public void close() {
        turn.close();
    }
}
