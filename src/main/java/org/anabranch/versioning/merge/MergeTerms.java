package org.anabranch.versioning.merge;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import org.anabranch.index.KeyIndex;
import org.anabranch.model.CommitId;
import org.anabranch.model.CommitMeta;
import org.anabranch.model.MergeOutcome;
import org.anabranch.model.MergeOutcome.KeyResult;
import org.anabranch.model.MergeOutcome.Report;
import org.anabranch.object.Commit;
import org.anabranch.versioning.commit.Judgement;
import org.anabranch.versioning.commit.Stage;
import org.anabranch.versioning.refs.BranchTarget;
import org.jspecify.annotations.Nullable;

/**
 * How a merge, transplant or revert is to be done, whatever it brings.
 *
 * @param bounds what the caller may be told and may do
 * @param requestedAt the time of the request
 */
record MergeTerms(BranchTarget target, KeyModes modes, boolean dryRun, MergeBounds bounds, Instant requestedAt) {

    /** What a plan may do to the target, in no order; empty unless the bounds ask for it. */
    Set<KeyAction> actions(MergePlan plan, KeyIndex index) {
        return bounds.areAsked() ? plan.actions(modes, index) : Set.of();
    }

    /**
     * Judges what becomes one commit, or nothing if the head has it already. Of a dry run nothing is staged.
     *
     * @param plan that holds for the head
     * @param merged further parents of the commit, which are stored
     */
    Judgement<MergeOutcome> judge(MergePlan plan, Commit head, Stage stage, List<Commit> merged, CommitMeta meta) {
        SourceDelta delta = plan.delta();
        if (delta == null) {
            return new Judgement.Ended<>(new MergeOutcome.NothingToDo(report(head, plan.commonAncestor(), List.of())));
        }
        Reconciliation.Result result = Reconciliation.of(stage, delta, plan.movedIds(), modes, bounds, head);
        if (!result.namespaceConflicts().isEmpty()) {
            return new Judgement.Ended<>(new MergeOutcome.NamespacesConflicted(result.namespaceConflicts()));
        }
        Report report = report(head, plan.commonAncestor(), result.keys());
        if (result.hasConflicts()) {
            return new Judgement.Ended<>(new MergeOutcome.Conflicted(report));
        }
        if (dryRun) {
            return new Judgement.Ended<>(new MergeOutcome.WouldMerge(report));
        }
        if (result.edit().isEmpty()) {
            return new Judgement.Ended<>(new MergeOutcome.NothingToDo(report));
        }
        List<Commit> parents = new ArrayList<>(List.of(head));
        parents.addAll(merged);
        Commit commit = stage.commit(parents, result.edit(), meta, requestedAt);
        return new Judgement.Applied<>(commit, merged, new MergeOutcome.Merged(report, commit.id()));
    }

    /** What is told of a judgement on a head. */
    Report report(Commit head, @Nullable CommitId commonAncestor, Collection<KeyResult> keys) {
        return new Report(target.row().name(), head.id(), target.expected().id(), commonAncestor, List.copyOf(keys));
    }
}
