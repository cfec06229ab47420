package org.anabranch.service;

import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import org.anabranch.model.HeadKeptMoving;
import org.anabranch.model.Idempotency;
import org.anabranch.model.MergeOutcome;
import org.anabranch.model.MergeRequest;
import org.anabranch.object.ObjectReader;
import org.anabranch.security.Access;
import org.anabranch.versioning.commit.BranchWriter;
import org.anabranch.versioning.commit.WriteResult;
import org.anabranch.versioning.commit.WriteResult.Answered;
import org.anabranch.versioning.merge.MergeChange;
import org.anabranch.versioning.refs.BranchTarget;
import org.anabranch.versioning.refs.BranchUse;
import org.anabranch.versioning.refs.HashRole;
import org.anabranch.versioning.refs.ReceiptSlot;
import org.anabranch.versioning.refs.References;
import org.jspecify.annotations.Nullable;

/** Merges a commit into a branch. Safe from many threads. */
public final class MergeIntoBranch {

    /** How often leave is asked anew for a merge that does more since its target moved. */
    private static final int MOST_PLANS = 5;

    private final References references;
    private final ObjectReader objects;
    private final BranchWriter writer;
    private final Repeats repeats;
    private final InstantSource clock;

    public MergeIntoBranch(
            References references, ObjectReader objects, BranchWriter writer, Repeats repeats, InstantSource clock) {
        this.references = references;
        this.objects = objects;
        this.writer = writer;
        this.repeats = repeats;
        this.clock = clock;
    }

    /**
     * Brings what the source changed since the merge base to the target, as one commit, or nothing.
     *
     * @param access of the caller, who becomes the committer
     * @param idempotency null for a request whose repeat is another request
     * @throws org.anabranch.model.RefusedException 404 if a reference or commit is not there, or the two have no common ancestor;
     *     403 if the caller may not read all that it brings, could read more of the source's commits under the target's name, or may
     *     not change all of it at the target; 400 if the request contradicts itself or the source; 429 and 503 if the service has
     *     too much to do
     */
    public MergeOutcome merge(MergeRequest request, Access access, @Nullable Idempotency idempotency) {
        return repeats.answer(
                request.target(),
                access,
                idempotency,
                MergeOutcome.Merged.class,
                slot -> attempt(request, access, slot));
    }

    private Optional<MergeOutcome> attempt(MergeRequest request, Access access, @Nullable ReceiptSlot slot) {
        Instant now = clock.instant().truncatedTo(ChronoUnit.MICROS);
        for (int plans = 1; ; plans++) {
            SeenCommit.requireSeenStart(references, access, request.target());
            BranchTarget target = references.requireBranch(request.target(), BranchUse.MERGE);
            References.requireUnambiguous(request.source().commit(), HashRole.SOURCE);
            SeenCommit source = SeenCommit.resolve(references, access, request.source(), HashRole.SOURCE);
            String branch = target.row().name();
            MergeQuestions questions = new MergeQuestions(access, source.voucher(), branch);
            questions.requireNamed(request.keyModes());
            MergeChange change = MergeChange.plan(
                    objects,
                    request,
                    target,
                    source.resolved(),
                    questions.bounds(),
                    access.caller().name(),
                    now);
            questions.requireMerge(change.actions());
            if (request.dryRun()) {
                return Optional.of(questions.told(writer.rehearse(target.head(), change)));
            }
            WriteResult<MergeOutcome> result = writer.write(target.row(), change, slot);
            boolean isOutgrown = result instanceof Answered<MergeOutcome>(HeadKeptMoving moved);
            if (!isOutgrown || plans == MOST_PLANS) {
                return result.told(why -> why, why -> why).map(questions::told);
            }
        }
    }
}
