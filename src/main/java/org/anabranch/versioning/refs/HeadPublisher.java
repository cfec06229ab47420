package org.anabranch.versioning.refs;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.anabranch.store.Change;
import org.anabranch.store.CommitRow;
import org.anabranch.store.Head;
import org.anabranch.store.PublishedHead;
import org.anabranch.store.Receipt;
import org.anabranch.store.ReferenceRow;
import org.anabranch.store.Store;
import org.anabranch.store.Turn;
import org.anabranch.store.WriteOutcome;

/** Moves references to new heads, each move with the commits that it makes visible. Safe from many threads. */
public final class HeadPublisher {

    private final Store store;
    private final RecentHeadsLimit limit;

    public HeadPublisher(Store store, RecentHeadsLimit limit) {
        this.store = store;
        this.limit = limit;
    }

    /**
     * Stores commits and moves a reference to one of them, or to a stored commit, as one step: all of it durable and visible
     * on return, or nothing. The head that is replaced becomes the newest of the row's earlier heads. Costs one store trip;
     * never repeats itself.
     *
     * @param rows new commits, parents before children, without duplicates; may be empty
     * @param adopted numbers of stored commits that this may make reachable, such as merge sources
     * @param seen the reference as it must still be: same incarnation, same version
     * @param nowMicros when {@code seen.head()} is replaced, in microseconds since the epoch
     * @param receipts kept iff the reference moves
     * @throws org.anabranch.store.OutcomeUnknownException it may have happened, and may still happen: whether
     *     {@code newHead} is on the reference's line decides
     * @throws org.anabranch.store.StoreUnavailableException nothing happened
     */
    public PublishOutcome publish(
            List<CommitRow> rows,
            Collection<Long> adopted,
            ReferenceRow seen,
            Head newHead,
            long nowMicros,
            List<Receipt> receipts) {
        ReferenceRow next = moved(seen, newHead, nowMicros, limit);
        return outcome(store.write(rows, adopted, new Change.OfReference(seen.name(), seen, next), receipts), next);
    }

    /** A reference as it is now, to be moved in a race with everybody else. Costs one store trip. */
    public HeadTurn look(String name) {
        return new HeadTurn(Turn.ofNobody(store, store.reference(name)), limit);
    }

    /** As {@link #look}, of a reference that was looked at before. Costs nothing. */
    public HeadTurn seen(ReferenceRow row) {
        return new HeadTurn(Turn.ofNobody(store, Optional.of(row)), limit);
    }

    /** A reference as it is when its turn has come, to be moved while others wait, see {@link Store#turn}. */
    public HeadTurn turn(String name) {
        return new HeadTurn(store.turn(name), limit);
    }

    static PublishOutcome outcome(WriteOutcome outcome, ReferenceRow next) {
        return switch (outcome) {
            case WriteOutcome.Written() -> new PublishOutcome.Published(next);
            case WriteOutcome.ReferenceMoved(var current) -> new PublishOutcome.HeadMoved(current);
            case WriteOutcome.ReceiptTaken(var existing) -> new PublishOutcome.ReceiptTaken(existing);
            case WriteOutcome.AdoptedMissing(var numbers) -> new PublishOutcome.AdoptedMissing(numbers);
            case WriteOutcome.RepositoryChanged(var current) ->
                throw new IllegalStateException("A move of a reference was answered with the repository record");
        };
    }

    static ReferenceRow moved(ReferenceRow seen, Head newHead, long nowMicros, RecentHeadsLimit limit) {
        List<PublishedHead> published = new ArrayList<>();
        published.add(new PublishedHead(seen.head(), nowMicros));
        published.addAll(seen.published());
        long oldest = nowMicros - TimeUnit.MICROSECONDS.convert(limit.maxAge());
        return seen.movedTo(
                newHead,
                published.stream()
                        .takeWhile(head -> head.publishedAtMicros() >= oldest)
                        .limit(limit.count())
                        .toList());
    }
}
