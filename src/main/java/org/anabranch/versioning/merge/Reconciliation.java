package org.anabranch.versioning.merge;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.anabranch.index.KeyIndex;
import org.anabranch.model.Conflict;
import org.anabranch.model.ConflictType;
import org.anabranch.model.Content;
import org.anabranch.model.ContentId;
import org.anabranch.model.ContentKey;
import org.anabranch.model.ContentType;
import org.anabranch.model.MergeMode;
import org.anabranch.model.MergeOutcome.KeyResult;
import org.anabranch.model.Namespace;
import org.anabranch.object.Commit;
import org.anabranch.object.IndexEntry;
import org.anabranch.object.IndexKey;
import org.anabranch.object.ObjectReader;
import org.anabranch.versioning.commit.ConflictCheck;
import org.anabranch.versioning.commit.IndexEdit;
import org.anabranch.versioning.commit.IndexEdit.Effect;
import org.anabranch.versioning.commit.IndexEdit.KeyEdit;
import org.anabranch.versioning.commit.NamespaceRules;
import org.anabranch.versioning.commit.Stage;
import org.jspecify.annotations.Nullable;

/**
 * What a source's changes come to on a target, key by key. With B, S and T for what a base, the source and the target hold:
 *
 * <ol>
 *   <li>T = S: both sides did the same, nothing is left to do. But a key that is gone on both, which the target renamed and the
 *       source deleted, is in conflict.
 *   <li>T = B, for at least one base: the source's change is taken.
 *   <li>Otherwise both sides changed the key: a conflict, described by how T differs from the first B. Two namespaces created
 *       under one key are none: the target's stays, and takes over the properties that it lacks.
 *   <li>Keys between which the source renamed contents are taken together or not at all.
 *   <li>An expected target content takes the place of B, also if T = S.
 *   <li>{@code FORCE} takes S whatever T is, unless an expectation fails; {@code DROP} leaves T.
 *   <li>No content id ends up under two keys: a put of an id that the target holds under a key which keeps it is a conflict, also
 *       when forced.
 * </ol>
 *
 * Costs one bulk read per index level for the keys of the delta. Only if ids appear that the target does not hold where the
 * base holds them, the difference between the first base and the target is read too, O(d log n), because they may have come
 * to the target by another way; see {@link MovedIds}.
 */
final class Reconciliation {

    /**
     * @param edit of the target, without what is in conflict
     * @param keys what becomes of each key that is listed in the answer, in key order
     * @param namespaceConflicts of the target's state after the edit; if there are any, nothing else counts
     */
    record Result(IndexEdit edit, List<KeyResult> keys, List<Conflict> namespaceConflicts) {

        boolean hasConflicts() {
            return keys.stream().anyMatch(key -> key.conflict() != null);
        }
    }

    private final KeyIndex index;
    private final ObjectReader objects;
    private final SourceDelta delta;
    private final KeyModes modes;
    private final MergeBounds bounds;
    private final Commit target;
    private final Map<IndexKey, IndexEntry> targetEntries;
    private final Map<ContentKey, Content> targetContents = new HashMap<>();
    private @Nullable MovedIds movedIds;

    private Reconciliation(
            Stage stage,
            SourceDelta delta,
            @Nullable MovedIds movedIds,
            KeyModes modes,
            MergeBounds bounds,
            Commit target) {
        this.index = stage.index();
        this.objects = stage.objects();
        this.delta = delta;
        this.movedIds = movedIds;
        this.modes = modes;
        this.bounds = bounds;
        this.target = target;
        SortedSet<IndexKey> keys = new TreeSet<>();
        delta.touched().forEach(key -> keys.add(IndexKey.of(key)));
        this.targetEntries = index.findAll(target.tree(), keys);
        readExpectedContents();
    }

    /**
     * Applies the rules. Pure over what the stage reads.
     *
     * @param movedIds by the first base and an earlier state of the target, if they were read already
     * @param bounds by which the result names keys
     */
    static Result of(
            Stage stage,
            SourceDelta delta,
            @Nullable MovedIds movedIds,
            KeyModes modes,
            MergeBounds bounds,
            Commit target) {
        return new Reconciliation(stage, delta, movedIds, modes, bounds, target).result();
    }

    /** What becomes of one unit. */
    private record UnitResult(
            MergeMode mode, SortedMap<ContentKey, KeyEdit> edits, SortedMap<ContentKey, Conflict> conflicts) {

        boolean isApplied() {
            return conflicts.isEmpty();
        }
    }

    private Result result() {
        Set<ContentKey> dropped = MergePlan.dropped(modes, delta, index);
        Map<List<KeyDelta>, UnitResult> units = new LinkedHashMap<>();
        for (List<KeyDelta> unit : delta.units()) {
            if (!dropped.contains(unit.get(0).key())) {
                units.put(unit, reconcile(unit));
            }
        }
        refuseSecondHomes(units);

        SortedMap<ContentKey, KeyResult> keys = new TreeMap<>();
        Stream.concat(dropped.stream().filter(modes::names), droppedAndShown(dropped))
                .forEach(key -> keys.put(key, new KeyResult(key, MergeMode.DROP, null)));
        SortedMap<ContentKey, KeyEdit> edits = new TreeMap<>();
        SortedMap<ContentKey, KeyEdit> forNamespaces = new TreeMap<>();
        units.forEach((unit, result) -> {
            if (result.isApplied()) {
                edits.putAll(result.edits());
                forNamespaces.putAll(result.edits());
                result.edits().keySet().forEach(key -> keys.put(key, new KeyResult(key, result.mode(), null)));
                return;
            }
            for (KeyDelta key : unit) {
                keys.put(
                        key.key(),
                        new KeyResult(
                                key.key(), result.mode(), result.conflicts().get(key.key())));
                if (key.source().isEmpty() && targetEntry(key.key()).isPresent()) {
                    // The conflict says more than that the namespace above would not be empty.
                    forNamespaces.put(key.key(), new IndexEdit.Remove());
                }
            }
        });
        return new Result(
                new IndexEdit(edits),
                List.copyOf(keys.values()),
                NamespaceRules.conflicts(index, target.tree(), new IndexEdit(forNamespaces)));
    }

    /** The keys that are left out, of which the caller may know what the source did to them. */
    private Stream<ContentKey> droppedAndShown(Set<ContentKey> dropped) {
        return delta.units().stream()
                .flatMap(List::stream)
                .filter(one -> dropped.contains(one.key()) && one.isShown(bounds.source()))
                .map(KeyDelta::key);
    }

    private UnitResult reconcile(List<KeyDelta> unit) {
        MergeMode mode = modes.mode(unit.stream().map(KeyDelta::key).toList());
        SortedMap<ContentKey, Conflict> conflicts = new TreeMap<>();
        for (KeyDelta key : unit) {
            conflict(unit, key, mode).ifPresent(type -> conflicts.put(key.key(), Conflict.of(type, key.key())));
        }
        SortedMap<ContentKey, KeyEdit> edits = new TreeMap<>();
        for (KeyDelta key : unit) {
            edit(key, mode).ifPresent(edit -> edits.put(key.key(), edit));
        }
        return new UnitResult(mode, edits, conflicts);
    }

    private Optional<ConflictType> conflict(List<KeyDelta> unit, KeyDelta key, MergeMode mode) {
        Optional<Content> expected = modes.expectedTarget(key.key());
        if (expected.isPresent()) {
            return difference(expected.get(), targetContents.get(key.key()));
        }
        return mode == MergeMode.FORCE ? Optional.empty() : plainConflict(unit, key);
    }

    /** The conflict of a key that is merged without force and expectation. */
    private Optional<ConflictType> plainConflict(List<KeyDelta> unit, KeyDelta key) {
        Optional<IndexEntry> atTarget = targetEntry(key.key());
        if (KeyDelta.sameValue(atTarget, key.source())) {
            return wasMovedApart(unit, key) ? Optional.of(ConflictType.KEY_DOES_NOT_EXIST) : Optional.empty();
        }
        if (key.isUnchangedBy(atTarget) || areNewNamespaces(key)) {
            return Optional.empty();
        }
        return key.base()
                .map(base -> ConflictCheck.difference(base, atTarget.orElse(null)))
                .orElse(Optional.of(ConflictType.KEY_EXISTS));
    }

    /**
     * Whether what a key held was renamed on one side, and not to the same key on the other, while the key itself is alike on
     * both.
     */
    private boolean wasMovedApart(List<KeyDelta> unit, KeyDelta key) {
        Optional<ContentId> lost = key.base()
                .map(IndexEntry::contentId)
                .filter(id -> key.source()
                        .filter(entry -> entry.contentId().equals(id))
                        .isEmpty());
        if (lost.isEmpty()) {
            return false;
        }
        Optional<ContentKey> atSource = unit.stream()
                .filter(other -> other.source()
                        .filter(entry -> entry.contentId().equals(lost.get()))
                        .isPresent())
                .map(KeyDelta::key)
                .findFirst();
        if (atSource.isPresent()) {
            return targetEntry(atSource.get())
                    .filter(entry -> entry.contentId().equals(lost.get()))
                    .isEmpty();
        }
        return movedOnTarget().containsKey(lost.get());
    }

    private boolean areNewNamespaces(KeyDelta key) {
        return key.bases().stream().allMatch(Optional::isEmpty)
                && isNamespace(key.source())
                && isNamespace(targetEntry(key.key()));
    }

    private static boolean isNamespace(Optional<IndexEntry> entry) {
        return entry.filter(one -> one.type() == ContentType.NAMESPACE).isPresent();
    }

    /** What to do to a key if its unit is not in conflict; empty if nothing. */
    private Optional<KeyEdit> edit(KeyDelta key, MergeMode mode) {
        Optional<IndexEntry> atTarget = targetEntry(key.key());
        if (key.source().isEmpty()) {
            return atTarget.map(entry -> new IndexEdit.Remove());
        }
        Effect effect = atTarget.map(
                        entry -> entry.type() == key.source().get().type() ? Effect.UPDATED : Effect.REPLACED)
                .orElse(Effect.CREATED);
        Optional<Content> resolved = modes.resolved(key.key());
        if (resolved.isPresent()) {
            return Optional.of(new IndexEdit.Put(effect, new IndexEdit.Given(resolved.get())));
        }
        if (KeyDelta.sameValue(atTarget, key.source())) {
            return Optional.empty();
        }
        if (mode == MergeMode.NORMAL && modes.expectedTarget(key.key()).isEmpty() && areNewNamespaces(key)) {
            return addedProperties(atTarget.get(), key.source().get())
                    .map(namespace -> new IndexEdit.Put(effect, new IndexEdit.Given(namespace)));
        }
        return Optional.of(
                new IndexEdit.Put(effect, new IndexEdit.Stored(key.source().get())));
    }

    /** The target's namespace with the properties that only the source's has; empty if it has them all. */
    private Optional<Namespace> addedProperties(IndexEntry atTarget, IndexEntry atSource) {
        List<Content> both = objects.contents(List.of(atTarget, atSource));
        Namespace ours = (Namespace) both.get(0);
        Map<String, String> properties = new TreeMap<>(((Namespace) both.get(1)).properties());
        properties.putAll(ours.properties());
        return properties.equals(ours.properties())
                ? Optional.empty()
                : Optional.of(new Namespace(ours.id(), ours.elements(), properties));
    }

    /** Rule 7, over all units together: one may free the id that another puts. */
    private void refuseSecondHomes(Map<List<KeyDelta>, UnitResult> units) {
        SortedMap<ContentKey, KeyEdit> edits = new TreeMap<>();
        units.values().stream().filter(UnitResult::isApplied).forEach(result -> edits.putAll(result.edits()));
        units.replaceAll((unit, result) ->
                result.isApplied() ? new UnitResult(result.mode(), result.edits(), secondHomes(unit, edits)) : result);
    }

    private SortedMap<ContentKey, Conflict> secondHomes(List<KeyDelta> unit, SortedMap<ContentKey, KeyEdit> edits) {
        SortedMap<ContentKey, Conflict> conflicts = new TreeMap<>();
        for (KeyDelta key : unit) {
            secondHome(key.key(), edits).ifPresent(home -> conflicts.put(key.key(), existsUnder(home, key)));
        }
        if (!conflicts.isEmpty()) {
            // The unit is not forced after all, so what force would have overridden counts.
            for (KeyDelta key : unit) {
                plainConflict(unit, key).ifPresent(type -> conflicts.put(key.key(), Conflict.of(type, key.key())));
            }
        }
        return conflicts;
    }

    private Conflict existsUnder(ContentKey home, KeyDelta key) {
        boolean isShown = bounds.target().shows(home, key.source().orElseThrow().type());
        return new Conflict(
                ConflictType.KEY_EXISTS,
                key.key(),
                "the content for key '" + key.key() + "' already exists under "
                        + (isShown ? "key '" + home + "'" : "another key"));
    }

    /** The other key under which the target holds, and keeps, the content id that an edit puts. */
    private Optional<ContentKey> secondHome(ContentKey key, SortedMap<ContentKey, KeyEdit> edits) {
        if (!(edits.get(key) instanceof IndexEdit.Put put)) {
            return Optional.empty();
        }
        ContentId id = put.value().contentId();
        if (holds(key, id)) {
            return Optional.empty();
        }
        ContentKey atBase = delta.homes().get(id);
        Optional<ContentKey> home = atBase != null && holds(atBase, id)
                ? Optional.of(atBase)
                : Optional.ofNullable(movedOnTarget().get(id));
        return home.filter(other -> switch (edits.get(other)) {
            case null -> true;
            case IndexEdit.Remove remove -> false;
            case IndexEdit.Put over -> over.value().contentId().equals(id);
        });
    }

    private boolean holds(ContentKey key, ContentId id) {
        return targetEntry(key).filter(entry -> entry.contentId().equals(id)).isPresent();
    }

    /** Where the target holds the content ids that are not where the first base holds them. Read when it is first needed. */
    private Map<ContentId, ContentKey> movedOnTarget() {
        MovedIds moved = movedIds;
        if (moved == null) {
            moved = MovedIds.between(index, delta.bases().get(0).tree(), target.tree());
        } else {
            moved = moved.at(index, target.tree());
        }
        movedIds = moved;
        return moved.keys();
    }

    private Optional<IndexEntry> targetEntry(ContentKey key) {
        return Optional.ofNullable(targetEntries.get(IndexKey.of(key)));
    }

    private void readExpectedContents() {
        List<IndexEntry> entries = targetEntries.values().stream()
                .filter(entry ->
                        modes.expectedTarget(entry.key().toContentKey()).isPresent())
                .toList();
        List<Content> contents = objects.contents(entries);
        for (int i = 0; i < entries.size(); i++) {
            targetContents.put(entries.get(i).key().toContentKey(), contents.get(i));
        }
    }

    private static Optional<ConflictType> difference(Content wanted, @Nullable Content actual) {
        if (actual == null) {
            return Optional.of(ConflictType.KEY_DOES_NOT_EXIST);
        }
        if (actual.type() != wanted.type()) {
            return Optional.of(ConflictType.PAYLOAD_DIFFERS);
        }
        if (wanted.id() == null || !wanted.id().equals(actual.id())) {
            return Optional.of(ConflictType.CONTENT_ID_DIFFERS);
        }
        return wanted.equals(actual) ? Optional.empty() : Optional.of(ConflictType.VALUE_DIFFERS);
    }
}
