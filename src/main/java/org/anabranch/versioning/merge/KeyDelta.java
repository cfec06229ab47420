package org.anabranch.versioning.merge;

import java.util.List;
import java.util.Optional;
import org.anabranch.model.ContentKey;
import org.anabranch.model.VisibleKeys;
import org.anabranch.object.IndexEntry;

/**
 * A key whose value at the source differs from its value at every merge base.
 *
 * @param bases what each merge base holds, in the order of the bases
 */
record KeyDelta(ContentKey key, List<Optional<IndexEntry>> bases, Optional<IndexEntry> source) {

    KeyDelta {
        bases = List.copyOf(bases);
    }

    /** What the first merge base holds: the one that conflicts are described against. */
    Optional<IndexEntry> base() {
        return bases.get(0);
    }

    /** Whether a target that holds that entry did not change the key, by at least one merge base. */
    boolean isUnchangedBy(Optional<IndexEntry> target) {
        return bases.stream().anyMatch(base -> sameValue(base, target));
    }

    /** What the change makes known: what the source holds, or what it holds no more. */
    List<IndexEntry> told() {
        return source.map(List::of)
                .orElseGet(() -> bases.stream().flatMap(Optional::stream).toList());
    }

    /** Whether all that the change makes known may be seen. */
    boolean isShown(VisibleKeys visible) {
        return told().stream().allMatch(entry -> visible.shows(key, entry.type()));
    }

    static boolean sameValue(Optional<IndexEntry> one, Optional<IndexEntry> other) {
        return one.isPresent() && other.isPresent()
                ? one.get().hasSameValueAs(other.get())
                : one.isEmpty() && other.isEmpty();
    }
}
