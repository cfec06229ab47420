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
     * @param access of the caller
     * @param idempotency null for a request whose repeat is another request
     * @throws RefusedException 404 if the reference or the target is not there; 403 if the caller may not assign it, or not
     *     show there what the target shows; 400 if it is of the other kind or detached, or a hash is missing or does not start
     *     with a commit's hash; 409 if the reference is elsewhere
     */
    public Reference.Named assign(
            RefSpec reference,
            @Nullable ReferenceKind kind,
            RefSpec target,
            Access access,
            @Nullable Idempotency idempotency) {
        return repeats.answer(
                        reference,
                        access,
                        idempotency,
                        ReferenceChanged.class,
                        slot -> attempt(reference, kind, target, access, slot))
                .reference();
    }

    private Optional<ReferenceChanged> attempt(
            RefSpec reference,
            @Nullable ReferenceKind kind,
            RefSpec target,
            Access access,
            @Nullable ReceiptSlot slot) {
        if (reference.isDetached()) {
            throw RefusedException.badRequest("Assignment target must be a branch or a tag.");
        }
        ReferenceRow row = references.row(reference);
        References.requireKind(row, kind);
        References.requireUnambiguous(reference.commit(), HashRole.EXPECTED);
        References.requireUnambiguous(target.commit(), HashRole.TARGET);
        SeenCommit seen = SeenCommit.resolve(references, access, target, HashRole.TARGET);
        ReferenceQuestions.require(access, Check.ASSIGN_REFERENCE_TO_HASH, row.name(), seen.voucher());
        SeenCommit.requireSeenStart(references, access, reference);
        references.requireAt(row, reference.commit());
        return changes.assign(row, seen.resolved().commit().head(), slot);
    }
}
