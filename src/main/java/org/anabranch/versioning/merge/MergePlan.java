package org.anabranch.versioning.merge;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.anabranch.dag.CommitGraph;
import org.anabranch.index.KeyIndex;
import org.anabranch.model.CommitId;
import org.anabranch.model.Content;
import org.anabranch.model.ContentKey;
import org.anabranch.model.MergeMode;
import org.anabranch.model.RefusedException;
import org.anabranch.object.Commit;
import org.anabranch.object.IndexEntry;
import org.jspecify.annotations.Nullable;

/**
 * A merge as far as the source decides it: the merge bases and what the source changed since.
 *
 * @param head the target's head that the merge bases were found with
 * @param commonAncestor the first merge base, or no ancestor for an empty source; null if the caller is told of none
 * @param delta null if the target has all of the source already
 * @param movedIds at {@code head}; null if the source brings no new ids, so that they are hardly ever needed
 */
record MergePlan(
        Commit head,
        @Nullable CommitId commonAncestor,
        @Nullable SourceDelta delta,
        @Nullable MovedIds movedIds) {

    /**
     * Plans a merge.
     *
     * <ol>
     *   <li>All best common ancestors are bases. An empty source has nothing to bring.
     *   <li>A source that is a base itself was merged already.
     *   <li>The rest is the difference, see {@link SourceDelta#read}.
     * </ol>
     *
     * @throws RefusedException 404 if the two have no common ancestor; 400 if the modes do not fit what the source changed
     */
    static MergePlan find(CommitGraph graph, KeyIndex index, Commit source, Commit head, KeyModes modes) {
        List<Commit> bases = head.isNoAncestor() ? List.of() : graph.mergeBases(source, head);
        if (source.isNoAncestor() && !head.isNoAncestor()) {
            return new MergePlan(head, CommitId.NO_ANCESTOR, null, null);
        }
        if (bases.isEmpty()) {
            throw RefusedException.referenceNotFound(
                    "No common ancestor of commits " + head.id() + " and " + source.id() + ": they cannot be merged");
        }
        CommitId first = bases.get(0).id();
        if (bases.stream().anyMatch(base -> base.id().equals(source.id()))) {
            return new MergePlan(head, source.id(), null, null);
        }
        return of(SourceDelta.read(index, bases, source), first, head, modes, index);
    }

    /**
     * The plan of a merge whose bases are known. New ids must be looked for on the target, where a transplant may have brought
     * them. That reads what the target changed since the base, which may be much, and is done here, where no other writer of
     * the branch waits for it.
     *
     * @param commonAncestor null if the caller is told of none
     * @throws RefusedException 400 if the modes do not fit what the source changed
     */
    static MergePlan of(
            SourceDelta delta, @Nullable CommitId commonAncestor, Commit head, KeyModes modes, KeyIndex index) {
        requireUsed(modes, delta, index);
        requireResolvable(modes, delta);
        MovedIds movedIds = delta.bringsNewIds()
                ? MovedIds.between(index, delta.bases().get(0).tree(), head.tree())
                : null;
        return new MergePlan(head, commonAncestor, delta, movedIds);
    }

    /**
     * Whether the merge bases of a source are the same with another head. They are if it continues the line of this one, and what
     * the line gained brings in no ancestor of the source: no merge, and no commit that the source descends from, which is the
     * case for all of them if it is for the first.
     */
    boolean holdsFor(Commit other, Commit source, CommitGraph graph) {
        if (other.id().equals(head.id())) {
            return true;
        }
        return other.lastMerge() == head.lastMerge()
                && graph.isOnLine(head, other)
                && !graph.reaches(source, graph.ancestor(other, head.seq() + 1));
    }

    /** What the merge may do to the target, see {@link KeyActions}. */
    Set<KeyAction> actions(KeyModes modes, KeyIndex index) {
        return delta == null ? Set.of() : KeyActions.of(delta, modes, dropped(modes, delta, index));
    }

    /**
     * Every mode that the request names must mean something.
     *
     * @throws RefusedException 400 if one does not
     */
    private static void requireUsed(KeyModes modes, SourceDelta delta, KeyIndex index) {
        Set<ContentKey> unused = new TreeSet<>(modes.byKey().keySet());
        unused.removeAll(delta.touched());
        // What differs from the first base only is not merged, and cannot be resolved.
        modes.byKey().keySet().stream()
                .filter(key -> modes.resolved(key).isPresent())
                .filter(key -> delta.units().stream()
                        .flatMap(List::stream)
                        .noneMatch(one -> one.key().equals(key)))
                .forEach(unused::add);
        List<ContentKey> drops = new ArrayList<>(modes.namedDrops());
        drops.retainAll(unused);
        unused.removeAll(delta.existing(index, drops));
        if (!unused.isEmpty()) {
            throw RefusedException.badRequest("keyMergeModes: the source did not change the keys " + unused
                    + ", so they cannot have a mode; leave them out");
        }
    }

    /**
     * A resolution is another state of what the source puts.
     *
     * @throws RefusedException 400 if one is not, by type or content id
     */
    static void requireResolvable(KeyModes modes, SourceDelta delta) {
        for (List<KeyDelta> unit : delta.units()) {
            for (KeyDelta key : unit) {
                modes.resolved(key.key()).ifPresent(resolved -> requireResolvable(key, resolved));
            }
        }
    }

    private static void requireResolvable(KeyDelta key, Content resolved) {
        String field = "resolvedContent for key '" + key.key() + "'";
        IndexEntry source = key.source()
                .orElseThrow(() ->
                        RefusedException.badRequest(field + " has nothing to resolve: the source deleted the key"));
        if (source.type() != resolved.type()) {
            throw RefusedException.badRequest(
                    field + " must be of type " + source.type() + " as on the source, and is " + resolved.type());
        }
        if (!source.contentId().equals(resolved.id())) {
            throw RefusedException.badRequest(field + " must have the content id " + source.contentId()
                    + " as on the source, not " + resolved.id());
        }
    }

    /** The keys that modes leave out, with those that the request names only to leave them out. */
    static Set<ContentKey> dropped(KeyModes modes, SourceDelta delta, KeyIndex index) {
        Set<ContentKey> dropped = new TreeSet<>(delta.existing(index, modes.namedDrops()));
        for (List<KeyDelta> unit : delta.units()) {
            List<ContentKey> keys = unit.stream().map(KeyDelta::key).toList();
            if (modes.mode(keys) == MergeMode.DROP) {
                dropped.addAll(keys);
            }
        }
        return dropped;
    }
}
