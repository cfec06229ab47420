package org.anabranch.versioning.commit;

import java.time.Instant;
import java.util.List;
import org.anabranch.model.CommitMeta;
import org.anabranch.model.CommitOutcome;
import org.anabranch.model.Conflict;
import org.anabranch.object.Commit;
import org.anabranch.versioning.refs.References;

/**
 * A change set as a change of a branch: one commit.
 *
 * @param branch its name, for what the caller is told
 * @param requestedAt the time of the request
 */
public record PlannedCommit(String branch, ChangeSet changes, CommitMeta meta, Instant requestedAt)
        implements BranchChange<CommitOutcome> {

    /**
     * {@inheritDoc}
     *
     * @throws org.anabranch.model.RefusedException 404 if the expected commit is not on the head's first-parent line
     */
    @Override
    public Judgement<CommitOutcome> judge(Commit head, Stage stage) {
        Commit expected = changes.expected();
        if (!stage.graph().isOnLine(expected, head)) {
            throw References.notInReference(expected.id().toString(), branch);
        }
        List<Conflict> conflicts = ConflictCheck.conflicts(changes, stage.index(), head);
        if (!conflicts.isEmpty()) {
            return new Judgement.Ended<>(new CommitOutcome.Conflicted(conflicts));
        }
        Commit commit = stage.commit(List.of(head), changes.edit(), meta, requestedAt);
        return new Judgement.Applied<>(
                commit, List.of(), new CommitOutcome.Committed(branch, commit.id(), changes.newIds()));
    }
}
