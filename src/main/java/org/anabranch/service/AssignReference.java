package org.anabranch.service;

import java.util.Optional;
import org.anabranch.model.Idempotency;
import org.anabranch.model.RefSpec;
import org.anabranch.model.Reference;
import org.anabranch.model.ReferenceChanged;
import org.anabranch.model.ReferenceKind;
import org.anabranch.model.RefusedException;
import org.anabranch.store.Head;
import org.anabranch.store.ReferenceRow;
import org.anabranch.versioning.refs.HashRole;
import org.anabranch.versioning.refs.ReceiptSlot;
import org.anabranch.versioning.refs.ReferenceChanges;
import org.anabranch.versioning.refs.References;
import org.jspecify.annotations.Nullable;

/** Points branches and tags at other commits. Safe from many threads. */
public final class AssignReference {

    private final References references;
    private final ReferenceChanges changes;
    private final Repeats repeats;

    public AssignReference(References references, ReferenceChanges changes, Repeats repeats) {
        this.references = references;
        this.changes = changes;
        this.repeats = repeats;
    }

    /**
     * Moves a branch or tag, also to where it is.
     *
     * @param reference with the hash at which it must be
     * @param kind that the caller expects; null if it does not care
     * @param target the commit to move to, with its hash; it need not be reachable from the reference it is named with
     * @param caller the caller's authenticated name; empty if anonymous
     * @param idempotency null for a request whose repeat is another request
     * @throws RefusedException 404 if the reference or the target is not there; 400 if it is of the other kind or detached, or a
     *     hash is missing or does not start with a commit's hash; 409 if the reference is elsewhere
     */
    public Reference.Named assign(
            RefSpec reference,
            @Nullable ReferenceKind kind,
            RefSpec target,
            String caller,
            @Nullable Idempotency idempotency) {
        return repeats.answer(
                        reference,
                        caller,
                        idempotency,
                        ReferenceChanged.class,
                        slot -> attempt(reference, kind, target, slot))
                .reference();
    }

    private Optional<ReferenceChanged> attempt(
            RefSpec reference, @Nullable ReferenceKind kind, RefSpec target, @Nullable ReceiptSlot slot) {
        if (reference.isDetached()) {
            throw RefusedException.badRequest("Assignment target must be a branch or a tag.");
        }
        ReferenceRow row = references.row(reference);
        References.requireKind(row, kind);
        References.requireUnambiguous(reference.commit(), HashRole.EXPECTED);
        Head head =
                references.resolveUnambiguous(target, HashRole.TARGET).commit().head();
        references.requireAt(row, reference.commit());
        return changes.assign(row, head, slot);
    }
}
