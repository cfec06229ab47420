package org.anabranch.model;

import java.util.Collection;
import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The keys that a listing shall show: those that satisfy all that is given.
 *
 * @param keys these alone; none if empty, any if null
 * @param min the first key wanted; null for no lower bound
 * @param max the last key wanted; null for no upper bound
 * @param prefix this key and those below it; null for all
 */
public record KeySelection(
        @Nullable SortedSet<ContentKey> keys,
        @Nullable ContentKey min,
        @Nullable ContentKey max,
        @Nullable ContentKey prefix) {

    public static final KeySelection ALL = new KeySelection(null, null, null, null);

    /** @throws RefusedException 400 for a prefix together with a bound */
    public KeySelection {
        if (prefix != null && (min != null || max != null)) {
            throw RefusedException.badRequest(
                    "prefix-key cannot be combined with min-key or max-key: send either the prefix or the bounds");
        }
        keys = keys == null ? null : Collections.unmodifiableSortedSet(new TreeSet<>((Collection<ContentKey>) keys));
    }
}
