package org.anabranch.model;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** What constructors of records demand of values that may come straight from JSON, where anything can be null. */
public final class Checks {

    private Checks() {}

    /**
     * A value that must be there.
     *
     * @param field named by the message
     * @throws IllegalArgumentException if it is null
     */
    public static <T> T required(String field, @Nullable T value) {
        if (value == null) {
            throw new IllegalArgumentException(field + ": must not be null");
        }
        return value;
    }

    /**
     * A copy; an absent list is an empty one.
     *
     * @param field named by the message
     * @throws IllegalArgumentException if an item is null
     */
    public static <T> List<T> copied(String field, @Nullable List<T> values) {
        if (values == null) {
            return List.of();
        }
        for (T value : values) {
            if (value == null) {
                throw new IllegalArgumentException(field + ": must not contain null");
            }
        }
        return List.copyOf(values);
    }
}
