package org.anabranch.versioning.merge;

import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.anabranch.index.KeyIndex;
import org.anabranch.model.CommitMeta;
import org.anabranch.model.ContentKey;
import org.anabranch.model.ContentType;
import org.anabranch.model.MergeOutcome;
import org.anabranch.model.RefusedException;
import org.anabranch.model.RevertRequest;
import org.anabranch.object.Commit;
import org.anabranch.object.IndexEntry;
import org.anabranch.object.IndexKey;
import org.anabranch.object.ObjectReader;
import org.anabranch.versioning.commit.BranchChange;
import org.anabranch.versioning.commit.Judgement;
import org.anabranch.versioning.commit.Stage;
import org.anabranch.versioning.refs.BranchTarget;
import org.anabranch.versioning.refs.References;

/**
 * A revert as a change of a branch: a merge whose source is an earlier state, as one commit with one parent. What was changed
 * again since is in conflict, by the rules of merges.
 *
 * <p>The plan depends on no head: it is made once and holds for all of them.
 */
public final class RevertChange implements BranchChange<MergeOutcome> {

    private final MergeTerms terms;
    private final Commit named;
    private final CommitMeta meta;
    private final MergePlan plan;
    private final Set<KeyAction> actions;

    /** @param named the commit that the request names, which the branch must have */
    private RevertChange(
            ObjectReader objects,
            RevertRequest request,
            BranchTarget target,
            Commit named,
            SourceDelta delta,
            MergeBounds bounds,
            String generatedMessage,
            String committer,
            Instant requestedAt) {
        KeyModes modes = KeyModes.of(request.defaultMode(), request.keyModes());
        KeyIndex index = new KeyIndex(objects);
        String given = request.meta().message();
        this.terms = new MergeTerms(target, modes, request.dryRun(), bounds, requestedAt);
        this.named = named;
        this.meta = request.meta().toCommitMeta(given.isEmpty() ? generatedMessage : given, committer, requestedAt);
        this.plan = MergePlan.of(delta, null, target.head(), modes, index);
        this.actions = terms.actions(plan, index);
    }

    /**
     * Plans to take back a commit: the merge base is the commit, the source is its first parent. Of a merge commit all that it
     * brought to its line is taken back. Costs O(d log n) node reads for d keys that the commit changed; if it ended contents, the
     * same for the keys changed since, because the contents may have come back under others.
     *
     * @param bounds what the caller may be told and may do; the source is the branch itself
     * @param committer the caller's authenticated name; empty if anonymous
     * @throws RefusedException 400 if it is no ancestor, or the modes do not fit what is taken back
     */
    public static RevertChange ofCommit(
            ObjectReader objects,
            RevertRequest request,
            BranchTarget target,
            Commit commit,
            MergeBounds bounds,
            String committer,
            Instant requestedAt) {
        if (commit.isNoAncestor()) {
            throw RefusedException.badRequest(
                    "Hash to revert " + commit.id() + " stands for no commit: give that of a commit of the branch");
        }
        Commit parent = objects.commit(commit.parents().get(0).number());
        SourceDelta delta = SourceDelta.read(new KeyIndex(objects), List.of(commit), parent);
        String message =
                "Revert \"" + commit.requireMeta().message() + "\"\n\nThis reverts commit " + commit.id() + ".";
        return new RevertChange(objects, request, target, commit, delta, bounds, message, committer, requestedAt);
    }

    /**
     * Plans to put a key back to what it held at a commit: the merge base is the commit that the caller saw, the source is the
     * earlier one. If the content of the key was renamed in between, it is moved back, and so all keys between which it moved
     * are put back. O(log n) node reads if it holds the same content as at the commit; otherwise O(d log n) for d keys that
     * differ between the two commits.
     *
     * @param bounds what the caller may be told and may do; the source is the branch itself
     * @param committer the caller's authenticated name; empty if anonymous
     * @throws RefusedException 404 if the key holds nothing on either side; 400 if the modes do not fit what is taken back
     */
    public static RevertChange ofKey(
            ObjectReader objects,
            RevertRequest request,
            BranchTarget target,
            ContentKey key,
            Commit earlier,
            MergeBounds bounds,
            String committer,
            Instant requestedAt) {
        KeyIndex index = new KeyIndex(objects);
        Commit seen = target.expected();
        if (typesHeld(objects, key, List.of(seen, earlier)).isEmpty()) {
            throw RefusedException.contentNotFound(key);
        }
        SourceDelta delta = SourceDelta.readUnit(index, seen, earlier, key);
        String message = "Revert key " + key + " to commit " + earlier.id();
        return new RevertChange(objects, request, target, earlier, delta, bounds, message, committer, requestedAt);
    }

    /** The types of what a key holds at some commits, in their order, without those that hold nothing. O(log n) node reads each. */
    public static List<ContentType> typesHeld(ObjectReader objects, ContentKey key, List<Commit> commits) {
        KeyIndex index = new KeyIndex(objects);
        return commits.stream()
                .flatMap(commit -> index.find(commit.tree(), IndexKey.of(key)).stream())
                .map(IndexEntry::type)
                .toList();
    }

    /** What the revert may do to the branch, wherever its head is, in no order; empty unless the bounds ask for it. */
    public Set<KeyAction> actions() {
        return actions;
    }

    /**
     * {@inheritDoc}
     *
     * <p>Of a dry run nothing is staged.
     *
     * @throws RefusedException 404 if the expected commit is not on the head's first-parent line, or the commit that the request
     *     names is not reached from the head
     */
    @Override
    public Judgement<MergeOutcome> judge(Commit head, Stage stage) {
        terms.target().requireOnLine(head, stage.graph());
        // The contents of an earlier state may stay where they are, because the head descends from it.
        if (!stage.graph().reaches(head, named)) {
            throw References.notInReference(
                    named.id().toString(), terms.target().row().name());
        }
        return terms.judge(plan, head, stage, List.of(), meta);
    }
}
