package org.anabranch.service;

import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import org.anabranch.model.CommitOutcome;
import org.anabranch.model.CommitRequest;
import org.anabranch.model.GivenMeta;
import org.anabranch.versioning.commit.BranchWriter;
import org.anabranch.versioning.commit.ChangePlanner;
import org.anabranch.versioning.commit.ChangeSet;
import org.anabranch.versioning.commit.PlannedCommit;
import org.anabranch.versioning.commit.WriteResult;
import org.anabranch.versioning.refs.BranchTarget;
import org.anabranch.versioning.refs.BranchUse;
import org.anabranch.versioning.refs.References;

/** Commits operations to a branch. Safe from many threads. */
public final class CommitToBranch {

    private final References references;
    private final ChangePlanner planner;
    private final BranchWriter writer;
    private final InstantSource clock;

    public CommitToBranch(References references, ChangePlanner planner, BranchWriter writer, InstantSource clock) {
        this.references = references;
        this.planner = planner;
        this.writer = writer;
        this.clock = clock;
    }

    /**
     * Makes one commit of all operations of the request, or none.
     *
     * @param committer the caller's authenticated name; empty if anonymous
     * @throws org.anabranch.model.RefusedException 404 if there is no such branch or the expected commit is not on it; 400 if
     *     the request is wrong by what its caller saw; 429 and 503 if the service has too much to do
     */
    public CommitOutcome commit(CommitRequest request, String committer) {
        Instant now = clock.instant().truncatedTo(ChronoUnit.MICROS);
        GivenMeta meta = request.meta();
        BranchTarget target = references.requireBranch(request.branch(), BranchUse.COMMIT);
        ChangeSet changes = planner.plan(request.operations(), target.expected());
        String branch = target.row().name();
        return switch (writer.write(
                branch, new PlannedCommit(branch, changes, meta.toCommitMeta(meta.message(), committer, now), now))) {
            case WriteResult.Answered<CommitOutcome>(var outcome) -> outcome;
            case WriteResult.GaveUp<CommitOutcome>(var why) -> why;
            case WriteResult.Undecided<CommitOutcome>(var why) -> why;
        };
    }
}
