package org.anabranch.index;

import org.anabranch.object.IndexKey;
import org.jspecify.annotations.Nullable;

/** Some ranges of keys, ascending and disjoint, that are found as they are needed: what is not met costs nothing. */
@FunctionalInterface
public interface KeyRanges {

    /**
     * The first range that ends behind a place.
     *
     * @param place null for the one before all keys
     * @return null if there is none
     */
    @Nullable
    KeyRange endingBehind(@Nullable IndexKey place);
}
