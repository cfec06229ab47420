package org.anabranch.service;

import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import org.anabranch.model.HashSpec;
import org.anabranch.model.Idempotency;
import org.anabranch.model.MergeOutcome;
import org.anabranch.model.RefSpec;
import org.anabranch.model.TransplantRequest;
import org.anabranch.object.Commit;
import org.anabranch.object.ObjectReader;
import org.anabranch.security.Access;
import org.anabranch.security.Question;
import org.anabranch.store.ReferenceRow;
import org.anabranch.versioning.commit.BranchWriter;
import org.anabranch.versioning.merge.TransplantChange;
import org.anabranch.versioning.refs.BranchTarget;
import org.anabranch.versioning.refs.BranchUse;
import org.anabranch.versioning.refs.HashRole;
import org.anabranch.versioning.refs.ReceiptSlot;
import org.anabranch.versioning.refs.References;
import org.jspecify.annotations.Nullable;

/** Replays commits on a branch. Safe from many threads. */
public final class TransplantOntoBranch {

    private final References references;
    private final ObjectReader objects;
    private final BranchWriter writer;
    private final Repeats repeats;
    private final InstantSource clock;

    public TransplantOntoBranch(
            References references, ObjectReader objects, BranchWriter writer, Repeats repeats, InstantSource clock) {
        this.references = references;
        this.objects = objects;
        this.writer = writer;
        this.repeats = repeats;
        this.clock = clock;
    }

    /**
     * Makes a new commit on the target for each source commit that changes something there, or none.
     *
     * @param access of the caller, who becomes the committer
     * @param idempotency null for a request whose repeat is another request
     * @throws org.anabranch.model.RefusedException 404 if a reference or commit is not there; 403 if the caller may not read all that
     *     they bring or not change all of it at the target; 400 if they do not follow one another or the request contradicts
     *     itself; 429 and 503 if the service has too much to do
     */
    public MergeOutcome transplant(TransplantRequest request, Access access, @Nullable Idempotency idempotency) {
        return repeats.answer(
                request.target(),
                access,
                idempotency,
                MergeOutcome.Merged.class,
                slot -> attempt(request, access, slot));
    }

    private Optional<MergeOutcome> attempt(TransplantRequest request, Access access, @Nullable ReceiptSlot slot) {
        Instant now = clock.instant().truncatedTo(ChronoUnit.MICROS);
        SeenCommit.requireSeenStart(references, access, request.target());
        BranchTarget target = references.requireBranch(request.target(), BranchUse.TRANSPLANT);
        Sources sources = sources(request, access);
        String branch = target.row().name();
        MergeQuestions questions = new MergeQuestions(access, sources.voucher(), branch);
        questions.requireNamed(request.keyModes());
        TransplantChange change = TransplantChange.plan(
                objects,
                request,
                target,
                sources.commits(),
                questions.bounds(),
                access.caller().name(),
                now);
        questions.require(change.actions());
        if (request.dryRun()) {
            return Optional.of(questions.told(writer.rehearse(target.head(), change)));
        }
        return writer.write(target.row(), change, slot)
                .told(why -> why, why -> why)
                .map(questions::told);
    }

    /** The commits to replay, and what vouches for all of them, as {@link SeenCommit}. */
    private record Sources(List<Commit> commits, String voucher) {}

    private Sources sources(TransplantRequest request, Access access) {
        List<HashSpec> hashes = request.commits();
        boolean readsAny = access.isUnrestricted() || access.views(Question.DETACHED);
        if (request.sourceName() == null) {
            hashes.forEach(hash -> References.requireUnambiguous(hash, HashRole.TO_TRANSPLANT));
            if (!readsAny) {
                throw access.hidden(
                        References.noSuchCommit(String.valueOf(hashes.get(0).hash())), Question.DETACHED);
            }
            return new Sources(references.requireAll(hashes, HashRole.TO_TRANSPLANT), Question.DETACHED);
        }
        RefSpec named = new RefSpec(request.sourceName(), HashSpec.HEAD);
        String name = SeenCommit.requireViewed(references, access, named);
        ReferenceRow row = references.row(named);
        if (!readsAny) {
            List<Commit> reached = references.requireAllReached(
                    row,
                    hashes,
                    HashRole.TO_TRANSPLANT,
                    hash -> access.hidden(References.noSuchCommit(hash), Question.DETACHED));
            return new Sources(reached, name);
        }
        List<Commit> commits = references.requireAll(hashes, HashRole.TO_TRANSPLANT);
        boolean isVouched = access.isUnrestricted() || references.reachesAll(row, commits);
        return new Sources(commits, isVouched ? name : Question.DETACHED);
    }
}
