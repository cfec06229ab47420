package org.anabranch.index;

import org.anabranch.object.IndexKey;
import org.jspecify.annotations.Nullable;

/**
 * A range of keys.
 *
 * @param from the first key wanted; null for no lower bound
 * @param until the first key not wanted any more; null for no upper bound
 */
public record KeyRange(@Nullable IndexKey from, @Nullable IndexKey until) {

    public static final KeyRange ALL = new KeyRange(null, null);

    /** A key and everything below it. */
    public static KeyRange keyAndBelow(IndexKey key) {
        return new KeyRange(key, key.afterAllBelow());
    }

    /** Everything below a key, without it. */
    public static KeyRange below(IndexKey key) {
        return new KeyRange(key.next(), key.afterAllBelow());
    }
}
