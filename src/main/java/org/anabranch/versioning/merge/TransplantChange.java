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
import org.jspecify.annotations.Nullable;

/**
 * A transplant as a change of a branch: each source commit is merged, with its first parent as merge base, on the state that the
 * ones before it lead to, and becomes a commit with one parent. All of them or none.
 *
 * <p>Expectations and resolutions are for the first commit that changes their key.
 */
public final class TransplantChange implements BranchChange<MergeOutcome> {

    private final MergeTerms terms;
    private final List<Commit> sources;
    private final List<Commit> parents;
    private final Set<KeyAction> actions;
    private final @Nullable String message;
    private final String committer;

    private TransplantChange(
            MergeTerms terms,
            List<Commit> sources,
            List<Commit> parents,
            @Nullable String message,
            String committer,
            KeyIndex index) {
        this.terms = terms;
        this.sources = List.copyOf(sources);
        this.parents = List.copyOf(parents);
        this.message = message;
        this.committer = committer;
        this.actions = terms.bounds().areAsked() ? findActions(index) : Set.of();
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
        KeyModes modes = KeyModes.of(request.defaultMode(), request.keyModes());
        return new TransplantChange(
                new MergeTerms(target, modes, request.dryRun(), bounds, requestedAt),
                sources,
                parents,
                sources.size() == 1 ? request.message() : null,
                committer,
                new KeyIndex(objects));
    }

    /** What the transplant may do to the target, wherever its head is, in no order; empty unless the bounds ask for it. */
    public Set<KeyAction> actions() {
        return actions;
    }

    private Set<KeyAction> findActions(KeyIndex index) {
        Set<KeyAction> found = new LinkedHashSet<>();
        for (int i = 0; i < sources.size(); i++) {
            SourceDelta delta = SourceDelta.read(index, List.of(parents.get(i)), sources.get(i));
            found.addAll(KeyActions.of(delta, terms.modes(), MergePlan.dropped(terms.modes(), delta, index)));
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
        terms.target().requireOnLine(head, stage.graph());
        Commit at = head;
        SortedMap<ContentKey, KeyResult> keys = new TreeMap<>();
        Set<ContentKey> seen = new HashSet<>();
        for (int i = 0; i < sources.size(); i++) {
            Commit source = sources.get(i);
            SourceDelta delta = SourceDelta.read(stage.index(), List.of(parents.get(i)), source);
            KeyModes here = terms.modes().withoutContents(seen);
            MergePlan.requireResolvable(here, delta);
            seen.addAll(delta.touched());

            Reconciliation.Result result = Reconciliation.of(stage, delta, null, here, terms.bounds(), at);
            if (!result.namespaceConflicts().isEmpty()) {
                return new Judgement.Ended<>(new MergeOutcome.NamespacesConflicted(result.namespaceConflicts()));
            }
            result.keys()
                    .forEach(key ->
                            keys.merge(key.key(), key, (first, later) -> later.conflict() == null ? first : later));
            if (result.hasConflicts()) {
                return new Judgement.Ended<>(new MergeOutcome.Conflicted(terms.report(head, null, keys.values())));
            }
            if (!result.edit().isEmpty()) {
                IndexEdit edit = broughtAlong(result.edit(), stage.objects());
                at = stage.commit(List.of(at), edit, meta(source), terms.requestedAt());
            }
        }
        Report report = terms.report(head, null, keys.values());
        if (terms.dryRun()) {
            return new Judgement.Ended<>(new MergeOutcome.WouldMerge(report));
        }
        return at.id().equals(head.id())
                ? new Judgement.Ended<>(new MergeOutcome.NothingToDo(report))
                : new Judgement.Applied<>(at, List.of(), new MergeOutcome.Merged(report, at.id()));
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
