package org.anabranch.versioning.merge;

import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;
import org.anabranch.index.EntryDiff;
import org.anabranch.index.KeyIndex;
import org.anabranch.index.KeyRange;
import org.anabranch.model.ContentId;
import org.anabranch.model.ContentKey;
import org.anabranch.object.IndexEntry;
import org.anabranch.object.Tree;

/**
 * Under which keys a target holds the content ids that a base does not hold under the same keys.
 *
 * @param tree of the target
 */
record MovedIds(Tree tree, Map<ContentId, ContentKey> keys) {

    MovedIds {
        keys = Map.copyOf(keys);
    }

    /** Reads the difference between a base and a target: O(d log n) node reads for d keys that differ. */
    static MovedIds between(KeyIndex index, Tree base, Tree target) {
        return new MovedIds(base, Map.of()).at(index, target);
    }

    /** The same for a later state of the target: O(d log n) node reads for d keys that differ between the two states. */
    MovedIds at(KeyIndex index, Tree later) {
        if (later.equals(tree)) {
            return this;
        }
        Map<ContentId, ContentKey> moved = new HashMap<>(keys);
        Map<ContentId, ContentKey> arrived = new HashMap<>();
        Iterator<EntryDiff> diff = index.diff(tree, later, KeyRange.ALL);
        while (diff.hasNext()) {
            EntryDiff one = diff.next();
            Optional<ContentId> before = Optional.ofNullable(one.from()).map(IndexEntry::contentId);
            Optional<ContentId> after = Optional.ofNullable(one.to()).map(IndexEntry::contentId);
            if (!before.equals(after)) {
                before.ifPresent(moved::remove);
                after.ifPresent(id -> arrived.put(id, one.key().toContentKey()));
            }
        }
        moved.putAll(arrived);
        return new MovedIds(later, moved);
    }
}
