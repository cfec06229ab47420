package org.anabranch.versioning.merge;

import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.anabranch.dag.CommitGraph;
import org.anabranch.index.KeyIndex;
import org.anabranch.model.CommitMeta;
import org.anabranch.model.HeadKeptMoving;
import org.anabranch.model.MergeOutcome;
import org.anabranch.model.MergeRequest;
import org.anabranch.object.Commit;
import org.anabranch.object.ObjectReader;
import org.anabranch.versioning.commit.BranchChange;
import org.anabranch.versioning.commit.Judgement;
import org.anabranch.versioning.commit.Stage;
import org.anabranch.versioning.refs.BranchTarget;
import org.anabranch.versioning.refs.ResolvedReference;

/**
 * A merge as a change of a branch: one commit with the head and the source as parents, that brings everything the source changed
 * since the merge base.
 *
 * <p>The plan is made once, and holds for every head that continues the target's line with commits of its own. On any other head
 * the merge plans again.
 */
public final class MergeChange implements BranchChange<MergeOutcome> {

    private final MergeTerms terms;
    private final Commit source;
    private final CommitMeta meta;
    private final MergePlan plan;
    private final Set<KeyAction> actions;

    private MergeChange(MergeTerms terms, Commit source, CommitMeta meta, MergePlan plan, Set<KeyAction> actions) {
        this.terms = terms;
        this.source = source;
        this.meta = meta;
        this.plan = plan;
        this.actions = actions;
    }

    /**
     * Plans a merge. Costs the search of the merge bases, O((1 + merges in between) log h), and O(d log n) node reads for d keys
     * that the source changed; if it brings new content ids, the same for what the target changed.
     *
     * @param bounds what the caller may be told and may do
     * @param committer the caller's authenticated name; empty if anonymous
     * @throws org.anabranch.model.RefusedException 404 if source and target have no common ancestor; 400 if the request's modes
     *     do not fit what the source changed
     */
    public static MergeChange plan(
            ObjectReader objects,
            MergeRequest request,
            BranchTarget target,
            ResolvedReference source,
            MergeBounds bounds,
            String committer,
            Instant requestedAt) {
        KeyModes modes = KeyModes.of(request.defaultMode(), request.keyModes());
        MergeTerms terms = new MergeTerms(target, modes, request.dryRun(), bounds, requestedAt);
        KeyIndex index = new KeyIndex(objects);
        MergePlan plan = MergePlan.find(new CommitGraph(objects), index, source.commit(), target.head(), modes);
        CommitMeta meta = request.meta().toCommitMeta(message(request, target, source), committer, requestedAt);
        return new MergeChange(terms, source.commit(), meta, plan, terms.actions(plan, index));
    }

    /** What the merge may do to the target as long as its plan holds, in no order; empty unless the bounds ask for it. */
    public Set<KeyAction> actions() {
        return actions;
    }

    private static String message(MergeRequest request, BranchTarget target, ResolvedReference source) {
        String given = request.meta().message();
        if (!given.isEmpty()) {
            return given;
        }
        String name = source.row() == null ? "DETACHED" : source.row().name();
        return "Merged " + name + " at " + source.commit().id() + " into "
                + target.row().name() + " at " + target.expected().id();
    }

    /**
     * {@inheritDoc}
     *
     * <p>Of a dry run nothing is staged.
     *
     * <p>A plan that is made anew may do less than the first one, and if leave was asked for that, not more: then the merge ends
     * with {@link HeadKeptMoving}, and must be planned and asked for again.
     *
     * @throws org.anabranch.model.RefusedException 404 if the expected commit is not on the head's first-parent line
     */
    @Override
    public Judgement<MergeOutcome> judge(Commit head, Stage stage) {
        terms.target().requireOnLine(head, stage.graph());
        MergePlan current = plan.holdsFor(head, source, stage.graph())
                ? plan
                : MergePlan.find(stage.graph(), stage.index(), source, head, terms.modes());
        if (current != plan && !actions.containsAll(terms.actions(current, stage.index()))) {
            return new Judgement.Ended<>(new HeadKeptMoving(terms.target().row().name(), head.id(), 1));
        }
        return terms.judge(current, head, stage, List.of(source), meta);
    }
}
