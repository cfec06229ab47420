package org.anabranch.versioning.refs;

import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.anabranch.model.ErrorCode;
import org.anabranch.model.Reference;
import org.anabranch.model.ReferenceChanged;
import org.anabranch.model.ReferenceKind;
import org.anabranch.model.ReferenceName;
import org.anabranch.model.RefusedException;
import org.anabranch.object.StoredObjects;
import org.anabranch.store.Change;
import org.anabranch.store.Head;
import org.anabranch.store.Instants;
import org.anabranch.store.OutcomeUnknownException;
import org.anabranch.store.Receipt;
import org.anabranch.store.ReferenceRow;
import org.anabranch.store.Store;
import org.anabranch.store.StoreUnavailableException;
import org.anabranch.store.WriteOutcome;
import org.jspecify.annotations.Nullable;

/**
 * Creates, assigns and deletes branches and tags, each by one conditional write that is not repeated. Safe from many threads.
 *
 * <p>All methods throw {@link StoreUnavailableException} if nothing was changed. When the store does not say how a write ended,
 * the reference is read again; {@link OutcomeUnknownException} is thrown only if that does not decide it either.
 */
public final class ReferenceChanges {

    private final Store store;
    private final StoredObjects objects;
    private final HeadPublisher publisher;
    private final LongSupplier incarnations;
    private final InstantSource clock;

    /**
     * @param objects is told of commits that are gone
     * @param incarnations numbers that no commit row and no other incarnation has
     */
    public ReferenceChanges(
            Store store,
            StoredObjects objects,
            HeadPublisher publisher,
            LongSupplier incarnations,
            InstantSource clock) {
        this.store = store;
        this.objects = objects;
        this.publisher = publisher;
        this.incarnations = incarnations;
        this.clock = clock;
    }

    /**
     * Creates a branch or tag.
     *
     * @param target a stored commit, or no ancestor
     * @param slot of the request's receipt; null if it leaves none
     * @return empty if the slot was taken meanwhile, and nothing was created
     * @throws RefusedException 409 if a branch or tag has that name; 404 if the target is not stored any more
     */
    public Optional<ReferenceChanged> create(
            ReferenceName name, ReferenceKind kind, Head target, @Nullable ReceiptSlot slot) {
        ReferenceRow row =
                new ReferenceRow(name.value(), kind, target, incarnations.getAsLong(), 1, nowMicros(), List.of());
        ReferenceChanged created = result(ReferenceChanged.Kind.CREATED, row);
        WriteOutcome outcome;
        try {
            outcome = store.write(
                    List.of(),
                    adopted(target),
                    new Change.OfReference(row.name(), null, row),
                    receipts(slot, target, created));
        } catch (OutcomeUnknownException unknown) {
            // An incarnation is this call's own. A missing row may still appear.
            ReferenceRow current = reread(row.name(), unknown).orElseThrow(() -> unknown);
            if (current.incarnation() == row.incarnation()) {
                return Optional.of(created);
            }
            throw alreadyExists(name);
        }
        return switch (outcome) {
            case WriteOutcome.Written() -> Optional.of(created);
            case WriteOutcome.ReceiptTaken(var existing) -> Optional.empty();
            case WriteOutcome.ReferenceMoved(var current) -> throw alreadyExists(name);
            case WriteOutcome.AdoptedMissing(var numbers) -> throw targetGone(target);
            case WriteOutcome.RepositoryChanged(var current) -> throw notAsked(outcome);
        };
    }

    /**
     * Points a branch or tag at another commit, or at the one where it is.
     *
     * @param seen the reference as it must still be
     * @param target a stored commit, or no ancestor
     * @param slot of the request's receipt; null if it leaves none
     * @return empty if the slot was taken meanwhile, and nothing was moved
     * @throws RefusedException 409 if the reference was changed meanwhile; 404 if it was deleted, or the target is not stored
     *     any more
     */
    public Optional<ReferenceChanged> assign(ReferenceRow seen, Head target, @Nullable ReceiptSlot slot) {
        ReferenceChanged assigned = new ReferenceChanged(
                ReferenceChanged.Kind.ASSIGNED,
                new Reference.Named(seen.kind(), seen.name(), target.id()),
                seen.incarnation());
        PublishOutcome outcome;
        try {
            outcome = publisher.publish(
                    List.of(), adopted(target), seen, target, nowMicros(), receipts(slot, target, assigned));
        } catch (OutcomeUnknownException unknown) {
            outcome = outcomeOfAssign(seen, target, unknown);
        }
        return switch (outcome) {
            case PublishOutcome.Published(var now) -> Optional.of(assigned);
            case PublishOutcome.ReceiptTaken(var existing) -> Optional.empty();
            case PublishOutcome.HeadMoved(var current) -> throw changed(seen, Optional.ofNullable(current));
            case PublishOutcome.AdoptedMissing(var numbers) -> throw targetGone(target);
        };
    }

    /**
     * Deletes a branch or tag.
     *
     * @param seen the reference as it must still be
     * @param slot of the request's receipt; null if it leaves none
     * @return empty if the slot was taken meanwhile, and nothing was deleted
     * @throws RefusedException 409 if it was changed meanwhile; 404 if it was deleted
     */
    public Optional<ReferenceChanged> delete(ReferenceRow seen, @Nullable ReceiptSlot slot) {
        ReferenceChanged deleted = result(ReferenceChanged.Kind.DELETED, seen);
        WriteOutcome outcome;
        try {
            outcome = store.write(
                    List.of(),
                    List.of(),
                    new Change.OfReference(seen.name(), seen, null),
                    receipts(slot, seen.head(), deleted));
        } catch (OutcomeUnknownException unknown) {
            Optional<ReferenceRow> current =
                    reread(seen.name(), unknown).filter(row -> row.incarnation() == seen.incarnation());
            if (current.isEmpty()) {
                return Optional.of(deleted);
            }
            if (current.get().version() == seen.version()) {
                throw unknown;
            }
            throw changed(seen, current);
        }
        return switch (outcome) {
            case WriteOutcome.Written() -> Optional.of(deleted);
            case WriteOutcome.ReceiptTaken(var existing) -> Optional.empty();
            case WriteOutcome.ReferenceMoved(var current) -> throw changed(seen, Optional.ofNullable(current));
            case WriteOutcome.AdoptedMissing(var numbers) -> throw notAsked(outcome);
            case WriteOutcome.RepositoryChanged(var current) -> throw notAsked(outcome);
        };
    }

    private static ReferenceChanged result(ReferenceChanged.Kind kind, ReferenceRow row) {
        return new ReferenceChanged(kind, row.reference(), row.incarnation());
    }

    private static List<Receipt> receipts(@Nullable ReceiptSlot slot, Head head, ReferenceChanged result) {
        return slot == null ? List.of() : List.of(slot.receipt(head, result));
    }

    /** The head after {@code seen} is the target iff the assignment was applied; the row still tells it if it was kept. */
    private PublishOutcome outcomeOfAssign(ReferenceRow seen, Head target, OutcomeUnknownException unknown) {
        ReferenceRow current = reread(seen.name(), unknown)
                .filter(row -> row.incarnation() == seen.incarnation())
                .orElseThrow(() -> unknown);
        long movesSince = current.version() - seen.version();
        if (movesSince < 1 || movesSince - 1 > current.published().size()) {
            throw unknown;
        }
        Head next = movesSince == 1
                ? current.head()
                : current.published().get((int) movesSince - 2).head();
        return next.equals(target) ? new PublishOutcome.Published(current) : new PublishOutcome.HeadMoved(current);
    }

    private Optional<ReferenceRow> reread(String name, OutcomeUnknownException unknown) {
        try {
            return store.reference(name);
        } catch (StoreUnavailableException unavailable) {
            unknown.addSuppressed(unavailable);
            throw unknown;
        }
    }

    private long nowMicros() {
        return Instants.micros(clock.instant());
    }

    private static List<Long> adopted(Head target) {
        return target.equals(Head.NO_ANCESTOR) ? List.of() : List.of(target.number());
    }

    private static RefusedException alreadyExists(ReferenceName name) {
        return RefusedException.of(
                ErrorCode.REFERENCE_ALREADY_EXISTS, "Named reference '" + name + "' already exists.");
    }

    private RefusedException targetGone(Head target) {
        objects.forget(List.of(target.id()));
        return RefusedException.referenceNotFound("Commit '" + target.id() + "' not found");
    }

    private static RefusedException changed(ReferenceRow seen, Optional<ReferenceRow> current) {
        return current.map(row -> References.notAt(
                        seen.name(), seen.head().id().toString(), row.head().id()))
                .orElseGet(() -> References.notFound(seen.name()));
    }

    private static IllegalStateException notAsked(Object outcome) {
        return new IllegalStateException("The store answered what it was not asked: " + outcome);
    }
}
