package org.anabranch.index;

import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.anabranch.model.KeyBound;
import org.anabranch.model.KeyInterval;
import org.anabranch.object.IndexKey;
import org.jspecify.annotations.Nullable;

/**
 * A range of keys.
 *
 * @param from the first key wanted; null for no lower bound
 * @param until the first key not wanted any more; null for no upper bound
 */
public record KeyRange(@Nullable IndexKey from, @Nullable IndexKey until) implements KeyRanges {

    public static final KeyRange ALL = new KeyRange(null, null);

    /** A key and everything below it. */
    public static KeyRange keyAndBelow(IndexKey key) {
        return new KeyRange(key, key.afterAllBelow());
    }

    /** Everything below a key, without it. */
    public static KeyRange below(IndexKey key) {
        return new KeyRange(key.next(), key.afterAllBelow());
    }

    public static KeyRange of(KeyInterval interval) {
        return new KeyRange(
                interval.from() == null ? null : bound(interval.from()),
                interval.until() == null ? null : bound(interval.until()));
    }

    /** A place between keys as it lies in the order of the index. */
    public static IndexKey bound(KeyBound bound) {
        IndexKey key = IndexKey.of(bound.key());
        return switch (bound.place()) {
            case BEFORE -> key;
            case AFTER -> key.next();
            case AFTER_ALL_BELOW -> key.afterAllBelow();
        };
    }

    /** Whether a key lies in the range. */
    public boolean contains(IndexKey key) {
        return (from == null || key.compareTo(from) >= 0) && KeyIndex.isBefore(key, until);
    }

    @Override
    public @Nullable KeyRange endingBehind(@Nullable IndexKey place) {
        return place == null || until == null || until.compareTo(place) > 0 ? this : null;
    }

    /** What both ranges hold; empty if that is nothing. */
    public Optional<KeyRange> and(KeyRange other) {
        IndexKey first = Stream.of(from, other.from)
                .filter(Objects::nonNull)
                .max(IndexKey::compareTo)
                .orElse(null);
        IndexKey end = Stream.of(until, other.until)
                .filter(Objects::nonNull)
                .min(IndexKey::compareTo)
                .orElse(null);
        return first != null && end != null && first.compareTo(end) >= 0
                ? Optional.empty()
                : Optional.of(new KeyRange(first, end));
    }
}
