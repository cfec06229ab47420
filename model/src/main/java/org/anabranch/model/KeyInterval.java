package org.anabranch.model;

import org.jspecify.annotations.Nullable;

/**
 * The keys between two bounds.
 *
 * @param from null for no lower bound
 * @param until behind {@code from}; null for no upper bound
 */
public record KeyInterval(@Nullable KeyBound from, @Nullable KeyBound until) {

    /** All keys. */
    public static final KeyInterval ALL = new KeyInterval(null, null);

    public KeyInterval {
        if (from != null && until != null && from.compareTo(until) >= 0) {
            throw new IllegalArgumentException("An interval ends behind its begin: " + from + ", " + until);
        }
    }

    /** A key and everything below it. */
    public static KeyInterval keyAndBelow(ContentKey key) {
        return new KeyInterval(KeyBound.before(key), KeyBound.afterAllBelow(key));
    }

    /** Everything below a key, without it. */
    public static KeyInterval below(ContentKey key) {
        return new KeyInterval(KeyBound.after(key), KeyBound.afterAllBelow(key));
    }

    /** A key alone. */
    public static KeyInterval only(ContentKey key) {
        return new KeyInterval(KeyBound.before(key), KeyBound.after(key));
    }

    public boolean contains(ContentKey key) {
        return (from == null || from.isBefore(key)) && (until == null || !until.isBefore(key));
    }
}
