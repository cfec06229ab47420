package org.anabranch.versioning.merge;

import java.time.Instant;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.anabranch.index.KeyIndex;
import org.anabranch.model.CommitMeta;
import org.anabranch.model.ContentKey;
import org.anabranch.model.MergeOutcome;
import org.anabranch.model.MergeOutcome.KeyResult;
import org.anabranch.model.MergeOutcome.Report;
import org.anabranch.model.RefusedException;
import org.anabranch.model.TransplantRequest;
import org.anabranch.object.Commit;
import org.anabranch.object.ObjectReader;
import org.anabranch.versioning.commit.BranchChange;
import org.anabranch.versioning.commit.IndexEdit;
import org.anabranch.versioning.commit.IndexEdit.KeyEdit;
import org.anabranch.versioning.commit.Judgement;
import org.anabranch.versioning.commit.Stage;
import org.anabranch.versioning.refs.BranchTarget;
import org.anabranch.versioning.refs.References;
import org.jspecify.annotations.Nullable;

/**
 * A transplant as a change of a branch: each source commit is merged, with its first parent as merge base, on the state that the
 * ones before it lead to, and becomes a commit with one parent. All of them or none.
 *
 * <p>Expectations and resolutions are for the first commit that changes their key.
 */
public final class TransplantChange implements BranchChange<MergeOutcome> {

    private final BranchTarget target;
    private final List<Commit> sources;
    private final List<Commit> parents;
    private final KeyModes modes;
    private final MergeBounds bounds;
    private final Set<KeyAction> actions;
    private final @Nullable String message;
    private final boolean dryRun;
    private final String committer;
    private final Instant requestedAt;

    private TransplantChange(
            ObjectReader objects,
            BranchTarget target,
            List<Commit> sources,
            List<Commit> parents,
            TransplantRequest request,
            MergeBounds bounds,
            String committer,
            Instant requestedAt) {
        this.target = target;
        this.sources = List.copyOf(sources);
        this.parents = List.copyOf(parents);
        this.modes = KeyModes.of(request.defaultMode(), request.keyModes());
        this.bounds = bounds;
        this.message = sources.size() == 1 ? request.message() : null;
        this.dryRun = request.dryRun();
        this.committer = committer;
        this.requestedAt = requestedAt;
        this.actions = bounds.areAsked() ? findActions(new KeyIndex(objects)) : Set.of();
    }

    /**
     * Plans a transplant. Costs one bulk read of the commits' parents; if the bounds ask for its actions, also what the commits
     * changed, O(d log n) node reads for d keys.
     *
     * @param sources at least one
     * @param bounds what the caller may be told and may do
     * @throws RefusedException 400 if they do not follow one another on a first-parent line, or the modes contradict themselves
     */
    public static TransplantChange plan(
            ObjectReader objects,
            TransplantRequest request,
            BranchTarget target,
            List<Commit> sources,
            MergeBounds bounds,
            String committer,
            Instant requestedAt) {
        Commit previous = null;
        for (Commit source : sources) {
            if (source.isNoAncestor()) {
                throw RefusedException.badRequest(
                        "Hash to transplant " + source.id() + " stands for no commit; leave it out");
            }
            if (previous != null && !source.parents().get(0).id().equals(previous.id())) {
                throw RefusedException.badRequest("Hashes to transplant are not contiguous: commit " + source.id()
                        + " does not follow " + previous.id() + "; give them oldest first, without gaps");
            }
            previous = source;
        }
        List<Commit> parents = objects.commits(
                sources.stream().map(source -> source.parents().get(0).number()).toList());
        return new TransplantChange(objects, target, sources, parents, request, bounds, committer, requestedAt);
    }

    /** What the transplant may do to the target, wherever its head is, in no order; empty unless the bounds ask for it. */
    public Set<KeyAction> actions() {
        return actions;
    }

    private Set<KeyAction> findActions(KeyIndex index) {
        Set<KeyAction> found = new LinkedHashSet<>();
        for (int i = 0; i < sources.size(); i++) {
            SourceDelta delta = SourceDelta.read(index, List.of(parents.get(i)), sources.get(i));
            found.addAll(KeyActions.of(delta, modes, MergePlan.dropped(modes, delta, index)));
        }
        return found;
    }

    /**
     * {@inheritDoc}
     *
     * <p>Ends at the first commit that is in conflict: what the later ones would meet is not known.
     *
     * @throws RefusedException 404 if the expected commit is not on the head's first-parent line; 400 if a resolution does not fit
     *     what a commit changed
     */
    @Override
    public Judgement<MergeOutcome> judge(Commit head, Stage stage) {
        if (!stage.graph().isOnLine(target.expected(), head)) {
            throw References.notInReference(
                    target.expected().id().toString(), target.row().name());
        }
        Commit at = head;
        SortedMap<ContentKey, KeyResult> keys = new TreeMap<>();
        Set<ContentKey> seen = new HashSet<>();
        for (int i = 0; i < sources.size(); i++) {
            Commit source = sources.get(i);
            SourceDelta delta = SourceDelta.read(stage.index(), List.of(parents.get(i)), source);
            KeyModes here = modes.withoutContents(seen);
            MergePlan.requireResolvable(here, delta);
            seen.addAll(delta.touched());

            Reconciliation.Result result = Reconciliation.of(stage, delta, null, here, bounds, at);
            if (!result.namespaceConflicts().isEmpty()) {
                return new Judgement.Ended<>(new MergeOutcome.NamespacesConflicted(result.namespaceConflicts()));
            }
            result.keys()
                    .forEach(key ->
                            keys.merge(key.key(), key, (first, later) -> later.conflict() == null ? first : later));
            if (result.hasConflicts()) {
                return new Judgement.Ended<>(new MergeOutcome.Conflicted(report(head, keys)));
            }
            if (!result.edit().isEmpty()) {
                at = stage.commit(List.of(at), broughtAlong(result.edit(), stage.objects()), meta(source), requestedAt);
            }
        }
        Report report = report(head, keys);
        if (dryRun) {
            return new Judgement.Ended<>(new MergeOutcome.WouldMerge(report));
        }
        return at.id().equals(head.id())
                ? new Judgement.Ended<>(new MergeOutcome.NothingToDo(report))
                : new Judgement.Applied<>(at, List.of(), new MergeOutcome.Merged(report, at.id()));
    }

    private Report report(Commit head, SortedMap<ContentKey, KeyResult> keys) {
        return new Report(target.row().name(), head.id(), target.expected().id(), null, List.copyOf(keys.values()));
    }

    /** The original's metadata under another committer. */
    private CommitMeta meta(Commit source) {
        CommitMeta original = source.requireMeta();
        return new CommitMeta(
                message == null ? original.message() : message,
                committer,
                original.authors(),
                original.authorTime(),
                original.signedOffBy(),
                original.properties());
    }

    /**
     * The same edit with the contents in hand: the source is no ancestor of the new commit, so what is stored with it may go
     * before the new commit does.
     */
    private static IndexEdit broughtAlong(IndexEdit edit, ObjectReader objects) {
        SortedMap<ContentKey, KeyEdit> edits = new TreeMap<>(edit.keys());
        edits.replaceAll((key, keyEdit) -> keyEdit instanceof IndexEdit.Put(var effect, IndexEdit.Stored(var entry))
                ? new IndexEdit.Put(
                        effect,
                        new IndexEdit.Given(objects.contents(List.of(entry)).get(0)))
                : keyEdit);
        return new IndexEdit(edits);
    }
}
