package org.anabranch.model;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;

/**
 * A page of a listing, read in blocks as it is walked, so that a long one need not fit into memory. For one walk by one
 * thread. All refusals come before the first item.
 */
public interface Page<T> extends Iterator<T> {

    /**
     * Where the next page begins; empty if this one ends the listing. A page with a next one is never empty.
     *
     * @throws IllegalStateException before the last item of this page was taken
     */
    Optional<String> nextToken();

    /** The items not taken yet. */
    default List<T> toList() {
        List<T> items = new ArrayList<>();
        forEachRemaining(items::add);
        return items;
    }
}
