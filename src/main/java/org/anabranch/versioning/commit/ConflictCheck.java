package org.anabranch.versioning.commit;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import org.anabranch.index.KeyIndex;
import org.anabranch.model.Conflict;
import org.anabranch.model.ConflictType;
import org.anabranch.object.Commit;
import org.anabranch.object.IndexEntry;
import org.anabranch.object.IndexKey;
import org.jspecify.annotations.Nullable;

/** Compares what a caller believes with what the head holds. Pure over an index; values count, {@code seq} never does. */
public final class ConflictCheck {

    private ConflictCheck() {}

    /**
     * All conflicts of a planned commit on a head, in the order of its changes; empty if it can be applied. If the rules of
     * namespaces are broken, those conflicts alone.
     *
     * <p>A key that was changed and changed back since the expected commit is not in conflict. Costs one bulk read per level
     * of the index, and a count per removed namespace.
     */
    public static List<Conflict> conflicts(ChangeSet changes, KeyIndex index, Commit head) {
        IndexEdit edit = changes.edit();
        Set<IndexKey> keys = NamespaceRules.keys(edit);
        changes.changes().forEach(change -> keys.add(IndexKey.of(change.key())));
        SortedMap<IndexKey, IndexEntry> entries = index.findAll(head.tree(), keys);
        List<Conflict> ofNamespaces = NamespaceRules.conflicts(index, head.tree(), edit, entries);
        if (!ofNamespaces.isEmpty()) {
            return ofNamespaces;
        }
        List<Conflict> conflicts = new ArrayList<>();
        for (KeyChange change : changes.changes()) {
            conflict(change, entries.get(IndexKey.of(change.key())))
                    .ifPresent(type -> conflicts.add(Conflict.of(type, change.key())));
        }
        return conflicts;
    }

    private static Optional<ConflictType> conflict(KeyChange change, @Nullable IndexEntry actual) {
        IndexEntry believed = change.believed();
        if (believed != null) {
            return difference(believed, actual);
        }
        return switch (change) {
            case KeyChange.Create create -> actual == null ? Optional.empty() : Optional.of(ConflictType.KEY_EXISTS);
            case KeyChange.Update update -> throw new IllegalStateException("An update believes in an entry");
            case KeyChange.Unchanged unchanged ->
                actual == null ? Optional.empty() : Optional.of(ConflictType.PAYLOAD_DIFFERS);
            case KeyChange.Delete delete -> Optional.of(nothingToRemove(actual));
            case KeyChange.Replace replace -> Optional.of(nothingToRemove(actual));
        };
    }

    private static ConflictType nothingToRemove(@Nullable IndexEntry actual) {
        return actual == null ? ConflictType.KEY_DOES_NOT_EXIST : ConflictType.PAYLOAD_DIFFERS;
    }

    /**
     * How what a key holds differs from an entry that it should hold: in existence, else type, else content id, else value;
     * empty if it does not.
     */
    public static Optional<ConflictType> difference(IndexEntry wanted, @Nullable IndexEntry actual) {
        if (actual == null) {
            return Optional.of(ConflictType.KEY_DOES_NOT_EXIST);
        }
        if (actual.type() != wanted.type()) {
            return Optional.of(ConflictType.PAYLOAD_DIFFERS);
        }
        if (!actual.contentId().equals(wanted.contentId())) {
            return Optional.of(ConflictType.CONTENT_ID_DIFFERS);
        }
        return actual.hasSameValueAs(wanted) ? Optional.empty() : Optional.of(ConflictType.VALUE_DIFFERS);
    }
}
