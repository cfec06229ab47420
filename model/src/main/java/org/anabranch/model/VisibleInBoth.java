package org.anabranch.model;

import java.util.ArrayList;
import java.util.List;

/** What may be seen by two. */
record VisibleInBoth(VisibleKeys one, VisibleKeys other, List<KeyInterval> ranges) implements VisibleKeys {

    VisibleInBoth(VisibleKeys one, VisibleKeys other) {
        this(one, other, common(one.ranges(), other.ranges()));
    }

    private static List<KeyInterval> common(List<KeyInterval> ones, List<KeyInterval> others) {
        List<KeyInterval> common = new ArrayList<>();
        int one = 0;
        int other = 0;
        while (one < ones.size() && other < others.size()) {
            ones.get(one).and(others.get(other)).ifPresent(common::add);
            if (ones.get(one).endsBefore(others.get(other))) {
                one++;
            } else {
                other++;
            }
        }
        return List.copyOf(common);
    }

    @Override
    public boolean shows(ContentKey key, ContentType type) {
        return one.shows(key, type) && other.shows(key, type);
    }

    @Override
    public boolean showsAll(KeyInterval range) {
        return one.showsAll(range) && other.showsAll(range);
    }
}
