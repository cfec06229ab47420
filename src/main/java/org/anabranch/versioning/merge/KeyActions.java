package org.anabranch.versioning.merge;

import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.anabranch.model.ContentKey;
import org.anabranch.model.ContentType;
import org.anabranch.model.MergeMode;
import org.anabranch.object.IndexEntry;
import org.anabranch.versioning.merge.KeyAction.Kind;

/**
 * Finds what a source's changes may do to a target, whatever that holds: a function of the changes and the modes alone.
 *
 * <p>A key that is merged as usual is changed only if the target holds there what one of the bases does, so each base says what
 * the change is. Two namespaces that both sides created are made one, which is an update. What is forced, or was decided by the
 * caller, is done to whatever is there: it is a create, an update and a delete alike.
 */
final class KeyActions {

    private final SourceDelta delta;
    private final KeyModes modes;
    private final Set<KeyAction> found = new LinkedHashSet<>();

    private KeyActions(SourceDelta delta, KeyModes modes) {
        this.delta = delta;
        this.modes = modes;
    }

    /** At least {@link Kind#READ_AT_SOURCE} for each key that is not left out. Reads nothing. */
    static Set<KeyAction> of(SourceDelta delta, KeyModes modes, Set<ContentKey> dropped) {
        KeyActions actions = new KeyActions(delta, modes);
        for (List<KeyDelta> unit : delta.units()) {
            if (!dropped.contains(unit.get(0).key())) {
                MergeMode mode = modes.mode(unit.stream().map(KeyDelta::key).toList());
                unit.forEach(key -> actions.add(unit, key, mode));
            }
        }
        return actions.found;
    }

    private void add(List<KeyDelta> unit, KeyDelta key, MergeMode mode) {
        key.told().forEach(entry -> add(key, Kind.READ_AT_SOURCE, entry.type()));
        boolean isResolved = modes.resolved(key.key()).isPresent();
        if (mode == MergeMode.FORCE || modes.expectedTarget(key.key()).isPresent()) {
            addForced(key, mode == MergeMode.FORCE || isResolved);
            return;
        }
        for (Optional<IndexEntry> base : key.bases()) {
            if (key.source().isEmpty()) {
                base.ifPresent(entry -> add(key, Kind.DELETE, entry.type()));
            } else {
                addPut(unit, key, base, key.source().get());
            }
        }
        boolean isNewNamespace = key.bases().stream().allMatch(Optional::isEmpty)
                && key.source()
                        .filter(entry -> entry.type() == ContentType.NAMESPACE)
                        .isPresent();
        if (isNewNamespace) {
            add(key, Kind.UPDATE, ContentType.NAMESPACE);
        }
    }

    private void addForced(KeyDelta key, boolean overrides) {
        List<ContentType> atSource =
                key.source().map(IndexEntry::type).map(List::of).orElse(List.of());
        add(key, Kind.CREATE, atSource);
        add(key, Kind.UPDATE, atSource);
        add(key, Kind.DELETE, Arrays.asList(ContentType.values()));
        if (overrides) {
            add(key, Kind.FORCE, atSource.isEmpty() ? Arrays.asList(ContentType.values()) : atSource);
        }
    }

    private void addPut(List<KeyDelta> unit, KeyDelta key, Optional<IndexEntry> base, IndexEntry source) {
        Kind kind = isMoved(unit, source) ? Kind.UPDATE : Kind.CREATE;
        if (base.isEmpty()) {
            add(key, kind, source.type());
        } else if (base.get().contentId().equals(source.contentId())
                && base.get().type() == source.type()) {
            add(key, Kind.UPDATE, source.type());
        } else {
            add(key, Kind.DELETE, base.get().type());
            add(key, kind, source.type());
        }
    }

    /** Whether the content came from another key, which loses it by the same change. */
    private boolean isMoved(List<KeyDelta> unit, IndexEntry source) {
        ContentKey home = delta.homes().get(source.contentId());
        return home != null && unit.stream().anyMatch(one -> one.key().equals(home));
    }

    private void add(KeyDelta key, Kind kind, Collection<ContentType> types) {
        types.forEach(type -> add(key, kind, type));
    }

    private void add(KeyDelta key, Kind kind, ContentType type) {
        found.add(new KeyAction(key.key(), kind, type));
    }
}
