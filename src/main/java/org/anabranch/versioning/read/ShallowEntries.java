package org.anabranch.versioning.read;

import com.google.common.collect.AbstractIterator;
import java.util.Collections;
import java.util.Iterator;
import org.anabranch.index.KeyIndex;
import org.anabranch.index.KeyRange;
import org.anabranch.model.ContentKey;
import org.anabranch.object.IndexEntry;
import org.anabranch.object.IndexKey;
import org.anabranch.object.Tree;
import org.jspecify.annotations.Nullable;

/**
 * The entries of a range whose keys have not too many elements, in key order. Passes over a few keys that are too long, then
 * leaps to the end of what lies below their common ancestor: listing the children of a namespace costs O(log n) node reads per
 * child, however much lies below.
 */
final class ShallowEntries extends AbstractIterator<IndexEntry> {

    /** About three leaves: reading on is cheaper than coming down from the root again. */
    private static final int PASSED_BEFORE_A_LEAP = 48;

    private final KeyIndex index;
    private final Tree tree;
    private final KeyRange range;
    private final int maxElements;
    private Iterator<IndexEntry> entries;
    private int passed;

    ShallowEntries(KeyIndex index, Tree tree, KeyRange range, int maxElements) {
        this.index = index;
        this.tree = tree;
        this.range = range;
        this.maxElements = maxElements;
        this.entries = index.range(tree, range);
    }

    @Override
    protected @Nullable IndexEntry computeNext() {
        while (entries.hasNext()) {
            IndexEntry entry = entries.next();
            ContentKey key = entry.key().toContentKey();
            if (key.elements().size() <= maxElements) {
                passed = 0;
                return entry;
            }
            passed++;
            if (passed == PASSED_BEFORE_A_LEAP) {
                passed = 0;
                leap(key);
            }
        }
        return endOfData();
    }

    private void leap(ContentKey key) {
        // A limit of no elements at all excludes every key.
        if (maxElements == 0) {
            entries = Collections.emptyIterator();
            return;
        }
        IndexKey behind = IndexKey.of(new ContentKey(key.elements().subList(0, maxElements)))
                .afterAllBelow();
        entries = range.until() != null && behind.compareTo(range.until()) >= 0
                ? Collections.emptyIterator()
                : index.range(tree, new KeyRange(behind, range.until()));
    }
}
