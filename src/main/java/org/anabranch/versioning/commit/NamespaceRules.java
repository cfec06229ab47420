package org.anabranch.versioning.commit;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeSet;
import org.anabranch.index.KeyIndex;
import org.anabranch.index.KeyRange;
import org.anabranch.model.Conflict;
import org.anabranch.model.ConflictType;
import org.anabranch.model.ContentKey;
import org.anabranch.model.ContentType;
import org.anabranch.object.IndexEntry;
import org.anabranch.object.IndexKey;
import org.anabranch.object.Tree;
import org.anabranch.versioning.commit.IndexEdit.Effect;
import org.anabranch.versioning.commit.IndexEdit.KeyEdit;
import org.anabranch.versioning.commit.IndexEdit.Put;
import org.anabranch.versioning.commit.IndexEdit.Remove;

/**
 * The rules of namespaces, judged on the tree as it will be after an edit:
 *
 * <ol>
 *   <li>A new key of several elements has its parent, and the parent is a namespace. If it has not, every missing ancestor up to
 *       the nearest existing one is reported, and that one if it is no namespace.
 *   <li>A namespace that goes, or is replaced, has nothing below it but what goes with it.
 * </ol>
 *
 * A key that exists already keeps its place, also without a parent.
 */
public final class NamespaceRules {

    private final KeyIndex index;
    private final Tree head;
    private final SortedMap<ContentKey, KeyEdit> edits;
    private final Map<IndexKey, IndexEntry> entries;
    private final List<Conflict> conflicts = new ArrayList<>();
    private final Set<ContentKey> judged = new HashSet<>();

    private NamespaceRules(KeyIndex index, Tree head, IndexEdit edit, Map<IndexKey, IndexEntry> entries) {
        this.index = index;
        this.head = head;
        this.edits = edit.keys();
        this.entries = entries;
    }

    /**
     * The conflicts of an edit with these rules, each namespace once: first those of new keys, in key order and nearest ancestor
     * first, then those of namespaces that go. Costs one bulk read per level of the index, and a count, O(log n), for each
     * namespace that goes: nothing is scanned.
     */
    public static List<Conflict> conflicts(KeyIndex index, Tree head, IndexEdit edit) {
        return conflicts(index, head, edit, index.findAll(head, keys(edit)));
    }

    /**
     * The same, for who has looked up keys of its own together with those that the rules need.
     *
     * @param entries what the head holds of {@link #keys}
     */
    static List<Conflict> conflicts(KeyIndex index, Tree head, IndexEdit edit, Map<IndexKey, IndexEntry> entries) {
        NamespaceRules rules = new NamespaceRules(index, head, edit, entries);
        rules.edits.forEach((key, keyEdit) -> {
            if (isNew(keyEdit)) {
                rules.checkAncestors(key);
            }
        });
        rules.edits.forEach((key, keyEdit) -> {
            if (rules.entryType(key).equals(Optional.of(ContentType.NAMESPACE)) && isDropped(keyEdit)) {
                rules.checkEmpty(key);
            }
        });
        return rules.conflicts;
    }

    /** The keys that the rules look at: those of the edit, and the ancestors of new ones. */
    static Set<IndexKey> keys(IndexEdit edit) {
        Set<IndexKey> keys = new TreeSet<>();
        edit.keys().forEach((key, keyEdit) -> {
            keys.add(IndexKey.of(key));
            if (isNew(keyEdit)) {
                for (Optional<ContentKey> up = key.parent();
                        up.isPresent();
                        up = up.get().parent()) {
                    keys.add(IndexKey.of(up.get()));
                }
            }
        });
        return keys;
    }

    private static boolean isNew(KeyEdit edit) {
        return edit instanceof Put put && put.effect() != Effect.UPDATED;
    }

    private void checkAncestors(ContentKey key) {
        Optional<ContentKey> ancestor = key.parent();
        while (ancestor.isPresent() && judged.add(ancestor.get())) {
            Optional<ConflictType> conflict = conflictAsParent(ancestor.get());
            if (conflict.isEmpty()) {
                return;
            }
            conflicts.add(Conflict.of(conflict.get(), ancestor.get()));
            if (conflict.get() == ConflictType.NOT_A_NAMESPACE) {
                return;
            }
            ancestor = ancestor.get().parent();
        }
    }

    private Optional<ConflictType> conflictAsParent(ContentKey key) {
        KeyEdit edit = edits.get(key);
        if (edit instanceof Remove) {
            return Optional.of(ConflictType.NAMESPACE_ABSENT);
        }
        if (edit instanceof Put(var effect, var value)) {
            if (value.type() == ContentType.NAMESPACE) {
                return Optional.empty();
            }
            // What is new in the same edit cannot have been taken for the namespace: that one is missing.
            return Optional.of(effect == Effect.UPDATED ? ConflictType.NOT_A_NAMESPACE : ConflictType.NAMESPACE_ABSENT);
        }
        return entryType(key)
                .map(type -> type == ContentType.NAMESPACE
                        ? Optional.<ConflictType>empty()
                        : Optional.of(ConflictType.NOT_A_NAMESPACE))
                .orElse(Optional.of(ConflictType.NAMESPACE_ABSENT));
    }

    private void checkEmpty(ContentKey namespace) {
        long below = index.count(head, KeyRange.below(IndexKey.of(namespace)));
        for (var edit : edits.tailMap(namespace).entrySet()) {
            if (!edit.getKey().startsWith(namespace)) {
                break;
            }
            if (!edit.getKey().equals(namespace)
                    && entryType(edit.getKey()).isPresent()
                    && isDropped(edit.getValue())) {
                below--;
            }
        }
        if (below > 0) {
            conflicts.add(Conflict.of(ConflictType.NAMESPACE_NOT_EMPTY, namespace));
        }
    }

    /** Whether the edit drops what the key held; that something new may begin there is for the rule of new keys. */
    private static boolean isDropped(KeyEdit edit) {
        return edit instanceof Remove || edit instanceof Put put && put.effect() == Effect.REPLACED;
    }

    private Optional<ContentType> entryType(ContentKey key) {
        return Optional.ofNullable(entries.get(IndexKey.of(key))).map(IndexEntry::type);
    }
}
