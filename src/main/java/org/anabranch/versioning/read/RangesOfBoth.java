package org.anabranch.versioning.read;

import java.util.List;
import java.util.Optional;
import org.anabranch.index.KeyRange;
import org.anabranch.index.KeyRanges;
import org.anabranch.model.KeyBound;
import org.anabranch.model.KeyInterval;
import org.anabranch.object.IndexKey;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a range that may be seen on two sides. To find one costs O(log r) for r ranges that may be seen, for it and for each
 * that only one side shows before it.
 *
 * @param within begins at a key, if it has a lower bound
 * @param ones that one side shows, ascending and disjoint
 * @param others likewise of the other side
 */
record RangesOfBoth(KeyRange within, List<KeyInterval> ones, List<KeyInterval> others) implements KeyRanges {

    @Override
    public @Nullable KeyRange endingBehind(@Nullable IndexKey place) {
        IndexKey from = within.from();
        IndexKey start = place == null || from != null && from.compareTo(place) > 0 ? from : place;
        if (within.endingBehind(start) == null) {
            return null;
        }
        KeyBound at = start == null ? null : KeyBound.before(start.toContentKey());
        while (true) {
            KeyInterval one = firstEndingBehind(ones, at);
            KeyInterval other = ones == others ? one : firstEndingBehind(others, at);
            if (one == null || other == null) {
                return null;
            }
            Optional<KeyInterval> both = one == other ? Optional.of(one) : one.and(other);
            if (both.isPresent()) {
                return KeyRange.of(both.get()).and(within).orElse(null);
            }
            at = one.from() == null || other.from() != null && other.from().compareTo(one.from()) > 0
                    ? other.from()
                    : one.from();
        }
    }

    private static @Nullable KeyInterval firstEndingBehind(List<KeyInterval> intervals, @Nullable KeyBound place) {
        int index = place == null ? 0 : VisibleRange.firstEndingBehind(intervals, end -> end.compareTo(place) > 0);
        return index == intervals.size() ? null : intervals.get(index);
    }
}
