package org.anabranch.service;

import java.util.Optional;
import org.anabranch.model.Idempotency;
import org.anabranch.model.RefSpec;
import org.anabranch.model.Reference;
import org.anabranch.model.ReferenceChanged;
import org.anabranch.model.ReferenceKind;
import org.anabranch.model.RefusedException;
import org.anabranch.security.Access;
import org.anabranch.security.Check;
import org.anabranch.security.Question;
import org.anabranch.store.ReferenceRow;
import org.anabranch.versioning.refs.ReceiptSlot;
import org.anabranch.versioning.refs.ReferenceChanges;
import org.anabranch.versioning.refs.References;
import org.jspecify.annotations.Nullable;

/** Deletes branches and tags. Safe from many threads. */
public final class DeleteReference {

    private final References references;
    private final ReferenceChanges changes;
    private final Repeats repeats;

    public DeleteReference(References references, ReferenceChanges changes, Repeats repeats) {
        this.references = references;
        this.changes = changes;
        this.repeats = repeats;
    }

    /**
     * Deletes a branch or tag; its name is free at once.
     *
     * @param reference with the hash at which it must be
     * @param kind that the caller expects; null if it does not care
     * @param access of the caller
     * @param idempotency null for a request whose repeat is another request
     * @return the reference as it was
     * @throws RefusedException in this order: 404 if there is no such reference; 403 if the caller may not delete it; 400 if it
     *     is of the other kind, or the default branch, or its hash is missing or does not start with a commit's hash; 409 if it
     *     is elsewhere
     */
    public Reference.Named delete(
            RefSpec reference, @Nullable ReferenceKind kind, Access access, @Nullable Idempotency idempotency) {
        return repeats.answer(
                        reference,
                        access,
                        idempotency,
                        ReferenceChanged.class,
                        slot -> attempt(reference, kind, access, slot))
                .reference();
    }

    private Optional<ReferenceChanged> attempt(
            RefSpec reference, @Nullable ReferenceKind kind, Access access, @Nullable ReceiptSlot slot) {
        if (reference.isDetached()) {
            throw RefusedException.referenceNotFound("Named reference 'DETACHED' not found");
        }
        ReferenceRow row = references.row(reference);
        access.require(Question.ofReference(Check.DELETE_REFERENCE, row.name()));
        References.requireKind(row, kind);
        if (references.isDefaultBranch(row.name())) {
            throw RefusedException.badRequest("Default branch '" + row.name() + "' cannot be deleted.");
        }
        SeenCommit.requireSeenStart(references, access, reference);
        references.requireAt(row, reference.commit());
        return changes.delete(row, slot);
    }
}
