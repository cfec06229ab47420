package org.anabranch.model;

import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
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

    /** What both intervals hold; empty if that is nothing. */
    public Optional<KeyInterval> and(KeyInterval other) {
        KeyBound begin = Stream.of(from, other.from)
                .filter(Objects::nonNull)
                .max(KeyBound::compareTo)
                .orElse(null);
        KeyBound end = Stream.of(until, other.until)
                .filter(Objects::nonNull)
                .min(KeyBound::compareTo)
                .orElse(null);
        return begin != null && end != null && begin.compareTo(end) >= 0
                ? Optional.empty()
                : Optional.of(new KeyInterval(begin, end));
    }

    /** Whether another interval ends behind this one. */
    boolean endsBefore(KeyInterval other) {
        return until != null && (other.until == null || until.compareTo(other.until) < 0);
    }

    public boolean contains(ContentKey key) {
        return (from == null || from.isBefore(key)) && (until == null || !until.isBefore(key));
    }
}
