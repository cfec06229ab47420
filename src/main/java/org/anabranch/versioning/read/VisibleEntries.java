package org.anabranch.versioning.read;

import com.google.common.collect.Iterators;
import java.util.Collection;
import java.util.Iterator;
import org.anabranch.index.KeyIndex;
import org.anabranch.index.KeyRange;
import org.anabranch.model.ContentKey;
import org.anabranch.model.VisibleKeys;
import org.anabranch.object.IndexEntry;
import org.anabranch.object.IndexKey;
import org.anabranch.object.Tree;

/** The entries of indexes, as far as they may be seen. Reads nothing between the ranges that can be seen. */
final class VisibleEntries {

    private final KeyIndex index;

    VisibleEntries(KeyIndex index) {
        this.index = index;
    }

    static boolean shows(VisibleKeys visible, IndexEntry entry) {
        return visible.shows(entry.key().toContentKey(), entry.type());
    }

    /** Those of some keys, in key order. */
    Iterator<KeyedEntry> find(Tree tree, Collection<IndexKey> keys, VisibleKeys visible) {
        return shown(index.findAll(tree, keys).values().iterator(), visible);
    }

    /**
     * Those of a range, in key order: O(log n) node reads for each visible range, and those of the entries walked there.
     *
     * @param maxElements longer keys are left out, and leapt over
     */
    Iterator<KeyedEntry> walk(Tree tree, KeyRange range, int maxElements, VisibleKeys visible) {
        return Iterators.concat(Iterators.transform(VisibleRange.within(range, visible), part -> {
            Iterator<IndexEntry> entries = maxElements >= ContentKey.MAX_ELEMENTS
                    ? index.range(tree, part.range())
                    : new ShallowEntries(index, tree, part.range(), maxElements);
            return part.isWhole() ? Iterators.transform(entries, KeyedEntry::of) : shown(entries, visible);
        }));
    }

    private static Iterator<KeyedEntry> shown(Iterator<IndexEntry> entries, VisibleKeys visible) {
        return Iterators.filter(
                Iterators.transform(entries, KeyedEntry::of),
                entry -> visible.shows(entry.key(), entry.stored().type()));
    }

    /** How many a range has: O(log n) node reads for each visible range that is whole; the others are walked. */
    long count(Tree tree, KeyRange range, VisibleKeys visible) {
        long count = 0;
        Iterator<VisibleRange> parts = VisibleRange.within(range, visible);
        while (parts.hasNext()) {
            VisibleRange part = parts.next();
            count += part.isWhole()
                    ? index.count(tree, part.range())
                    : Iterators.size(shown(index.range(tree, part.range()), visible));
        }
        return count;
    }
}
