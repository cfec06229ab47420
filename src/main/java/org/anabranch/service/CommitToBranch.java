package org.anabranch.service;

import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import org.anabranch.model.CommitOutcome;
import org.anabranch.model.CommitRequest;
import org.anabranch.model.ContentKey;
import org.anabranch.model.GivenMeta;
import org.anabranch.model.Idempotency;
import org.anabranch.model.RefusedException;
import org.anabranch.security.Access;
import org.anabranch.versioning.commit.BranchWriter;
import org.anabranch.versioning.commit.ChangePlanner;
import org.anabranch.versioning.commit.ChangeSet;
import org.anabranch.versioning.commit.Intent;
import org.anabranch.versioning.commit.PlannedCommit;
import org.anabranch.versioning.refs.BranchTarget;
import org.anabranch.versioning.refs.BranchUse;
import org.anabranch.versioning.refs.ReceiptSlot;
import org.anabranch.versioning.refs.References;
import org.jspecify.annotations.Nullable;

/** Commits operations to a branch. Safe from many threads. */
public final class CommitToBranch {

    private final References references;
    private final ChangePlanner planner;
    private final BranchWriter writer;
    private final Repeats repeats;
    private final InstantSource clock;

    public CommitToBranch(
            References references, ChangePlanner planner, BranchWriter writer, Repeats repeats, InstantSource clock) {
        this.references = references;
        this.planner = planner;
        this.writer = writer;
        this.repeats = repeats;
        this.clock = clock;
    }

    /**
     * Makes one commit of all operations of the request, or none.
     *
     * @param access of the caller, who becomes the committer
     * @param idempotency null for a request whose repeat is another request
     * @throws RefusedException 404 if there is no such branch or the expected commit is not on it; 403 if the caller may not make
     *     all of the changes; 400 if the request is wrong by what its caller saw; 429 and 503 if the service has too much to do
     */
    public CommitOutcome commit(CommitRequest request, Access access, @Nullable Idempotency idempotency) {
        return repeats.answer(
                request.branch(),
                access,
                idempotency,
                CommitOutcome.Committed.class,
                slot -> attempt(request, access, slot));
    }

    private Optional<CommitOutcome> attempt(CommitRequest request, Access access, @Nullable ReceiptSlot slot) {
        Instant now = clock.instant().truncatedTo(ChronoUnit.MICROS);
        GivenMeta meta = request.meta();
        SeenCommit.requireSeenStart(references, access, request.branch());
        BranchTarget target = references.requireBranch(request.branch(), BranchUse.COMMIT);
        String branch = target.row().name();
        Intent intent = planner.read(request.operations(), target.expected());
        Optional<ContentKey> hidden = CommitQuestions.require(access, branch, intent);
        PlannedCommit change = new PlannedCommit(
                branch,
                plan(intent, hidden),
                meta.toCommitMeta(meta.message(), access.caller().name(), now),
                now);
        return writer.write(target.row(), change, slot)
                .told(why -> why, why -> why)
                .map(outcome -> outcome instanceof CommitOutcome.Conflicted(var conflicts)
                        ? new CommitOutcome.Conflicted(
                                HiddenKeys.of(access, branch).redacted(conflicts))
                        : outcome);
    }

    /** What a plan is refused for may quote what a key holds. */
    private ChangeSet plan(Intent intent, Optional<ContentKey> hidden) {
        try {
            return planner.plan(intent);
        } catch (RefusedException wrong) {
            throw hidden.map(key -> RefusedException.badRequest("Key '" + key
                            + "', which you may not read, does not hold what the operations take it to hold"))
                    .orElse(wrong);
        }
    }
}
