package org.anabranch.store;

import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/** What a store lists in pages, from one end to the other. */
public final class Pages {

    private Pages() {}

    /**
     * Pages in order, each read when the one before is done with. Costs a store trip each, and one more to see the end.
     *
     * @param start what to list after at first
     * @param after lists what comes after a key
     * @param key of a listed item
     */
    public static <K, T> Stream<List<T>> all(K start, Function<K, List<T>> after, Function<T, K> key) {
        return Stream.iterate(
                after.apply(start), page -> !page.isEmpty(), page -> after.apply(key.apply(page.getLast())));
    }
}
