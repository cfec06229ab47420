package org.anabranch.versioning.read;

import com.google.common.collect.AbstractIterator;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.anabranch.index.KeyRange;
import org.anabranch.model.KeyBound;
import org.anabranch.model.KeyInterval;
import org.anabranch.model.VisibleKeys;
import org.anabranch.object.IndexKey;
import org.jspecify.annotations.Nullable;

/**
 * A range of keys that may be seen.
 *
 * @param isWhole whether each key of the range may be, whatever it holds; otherwise each is asked about
 */
record VisibleRange(KeyRange range, boolean isWhole) {

    /** The parts of a range that may be seen, in order. Costs O(log r) for r ranges that may be seen, and those that are met. */
    static Iterator<VisibleRange> within(KeyRange range, VisibleKeys visible) {
        List<KeyInterval> intervals = visible.ranges();
        return new AbstractIterator<>() {

            private int next = firstEndingBehind(intervals, range.from());

            @Override
            protected @Nullable VisibleRange computeNext() {
                if (next == intervals.size()) {
                    return endOfData();
                }
                KeyInterval interval = intervals.get(next++);
                Optional<KeyRange> part = KeyRange.of(interval).and(range);
                return part.isEmpty() ? endOfData() : new VisibleRange(part.get(), visible.showsAll(interval));
            }
        };
    }

    private static int firstEndingBehind(List<KeyInterval> intervals, @Nullable IndexKey place) {
        return place == null
                ? 0
                : firstEndingBehind(intervals, end -> KeyRange.bound(end).compareTo(place) > 0);
    }

    /**
     * The index of the first of some intervals, ascending and disjoint, that ends behind a place; their number if there is none.
     *
     * @param isBehind whether a bound lies behind the place
     */
    static int firstEndingBehind(List<KeyInterval> intervals, Predicate<KeyBound> isBehind) {
        int low = 0;
        int high = intervals.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            KeyBound end = intervals.get(middle).until();
            if (end == null || isBehind.test(end)) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }
}
