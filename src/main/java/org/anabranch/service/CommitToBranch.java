package org.anabranch.service;

import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import org.anabranch.model.CommitOutcome;
import org.anabranch.model.CommitRequest;
import org.anabranch.model.GivenMeta;
import org.anabranch.model.Idempotency;
import org.anabranch.versioning.commit.BranchWriter;
import org.anabranch.versioning.commit.ChangePlanner;
import org.anabranch.versioning.commit.ChangeSet;
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
     * @param committer the caller's authenticated name; empty if anonymous
     * @param idempotency null for a request whose repeat is another request
     * @throws org.anabranch.model.RefusedException 404 if there is no such branch or the expected commit is not on it; 400 if
     *     the request is wrong by what its caller saw; 429 and 503 if the service has too much to do
     */
    public CommitOutcome commit(CommitRequest request, String committer, @Nullable Idempotency idempotency) {
        return repeats.answer(
                request.branch(),
                committer,
                idempotency,
                CommitOutcome.Committed.class,
                slot -> attempt(request, committer, slot));
    }

    private Optional<CommitOutcome> attempt(CommitRequest request, String committer, @Nullable ReceiptSlot slot) {
        Instant now = clock.instant().truncatedTo(ChronoUnit.MICROS);
        GivenMeta meta = request.meta();
        BranchTarget target = references.requireBranch(request.branch(), BranchUse.COMMIT);
        ChangeSet changes = planner.plan(request.operations(), target.expected());
        String branch = target.row().name();
        PlannedCommit change =
                new PlannedCommit(branch, changes, meta.toCommitMeta(meta.message(), committer, now), now);
        return writer.write(branch, change, slot).told(why -> why, why -> why);
    }
}
