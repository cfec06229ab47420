package org.anabranch.service;

import org.anabranch.model.CommitId;
import org.anabranch.model.HashSpec;
import org.anabranch.model.Idempotency;
import org.anabranch.model.RefSpec;
import org.anabranch.model.Reference;
import org.anabranch.model.ReferenceChanged;
import org.anabranch.model.ReferenceKind;
import org.anabranch.model.ReferenceName;
import org.anabranch.model.RefusedException;
import org.anabranch.security.Access;
import org.anabranch.security.Check;
import org.anabranch.security.Question;
import org.anabranch.store.Head;
import org.anabranch.versioning.refs.HashRole;
import org.anabranch.versioning.refs.ReferenceChanges;
import org.anabranch.versioning.refs.References;
import org.jspecify.annotations.Nullable;

/** Creates branches and tags. Safe from many threads. */
public final class CreateReference {

    private final References references;
    private final ReferenceChanges changes;
    private final Repeats repeats;

    public CreateReference(References references, ReferenceChanges changes, Repeats repeats) {
        this.references = references;
        this.changes = changes;
        this.repeats = repeats;
    }

    /**
     * Creates a branch or tag at a commit, which need not be reachable from the reference it is named with.
     *
     * @param source the commit to start at, with its hash; null or without hash only for a default branch that is missing
     * @param access of the caller
     * @param idempotency null for a request whose repeat is another request
     * @throws RefusedException 400 if the source has no hash or does not start with one; 404 if the source is not there; 403 if
     *     the caller may not create it, or not show there what the source shows; 409 if a branch or tag has that name
     */
    public Reference.Named create(
            ReferenceName name,
            ReferenceKind kind,
            @Nullable RefSpec source,
            Access access,
            @Nullable Idempotency idempotency) {
        if (!access.views(name.value())) {
            // Whether there is such a reference is not told, and a 404 would make no sense of a name to be made.
            access.require(Question.ofReference(Check.CREATE_REFERENCE, name.value()));
        }
        return repeats.answer(
                        new RefSpec(name.value(), HashSpec.HEAD),
                        access,
                        idempotency,
                        ReferenceChanged.class,
                        slot -> changes.create(name, kind, target(name, kind, source, access), slot))
                .reference();
    }

    private Head target(ReferenceName name, ReferenceKind kind, @Nullable RefSpec source, Access access) {
        if (startsEmpty(name, kind, source)) {
            access.require(Question.ofReference(Check.CREATE_REFERENCE, name.value()));
            return Head.NO_ANCESTOR;
        }
        if (source == null) {
            throw RefusedException.badRequest("Target hash must be provided.");
        }
        References.requireUnambiguous(source.commit(), HashRole.TARGET);
        SeenCommit seen = SeenCommit.resolve(references, access, source, HashRole.TARGET);
        ReferenceQuestions.require(access, Check.CREATE_REFERENCE, name.value(), seen.voucher());
        return seen.resolved().commit().head();
    }

    /** A default branch that is missing is made without a source: the source that clients name is that very branch. */
    private boolean startsEmpty(ReferenceName name, ReferenceKind kind, @Nullable RefSpec source) {
        boolean nowhere = source == null
                || source.commit().isHead()
                || source.commit().steps().isEmpty()
                        && CommitId.NO_ANCESTOR
                                .toString()
                                .equals(source.commit().hash());
        return nowhere
                && kind == ReferenceKind.BRANCH
                && references.isDefaultBranch(name.value())
                && references.findRow(name.value()).isEmpty();
    }
}
