package org.anabranch.versioning.read;

import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;
import org.anabranch.filter.KeyScope;
import org.anabranch.index.KeyRange;
import org.anabranch.model.ContentKey;
import org.anabranch.model.KeySelection;
import org.anabranch.object.IndexKey;
import org.jspecify.annotations.Nullable;

/**
 * The keys that a page walks: what was asked for, from the key that the page begins with, within the keys that the filter can
 * match.
 *
 * @param keys these alone, in order; null for the whole range
 * @param maxElements longer keys need not be looked at
 */
record KeyWindow(@Nullable List<IndexKey> keys, KeyRange range, int maxElements) {

    private static final KeyRange NONE = new KeyRange(IndexKey.of(ContentKey.of("a")), IndexKey.of(ContentKey.of("a")));

    /** @param next the first key of the page; null for the first page */
    static KeyWindow of(KeySelection selection, KeyScope scope, @Nullable ContentKey next) {
        KeyRange range = range(selection, scope, next);
        Collection<ContentKey> alone = selection.keys();
        List<IndexKey> keys = alone == null
                ? null
                : alone.stream()
                        .map(IndexKey::of)
                        .filter(key -> contains(range, key))
                        .toList();
        return new KeyWindow(keys, range, scope.maxElements());
    }

    private static KeyRange range(KeySelection selection, KeyScope scope, @Nullable ContentKey next) {
        ContentKey scopePrefix;
        try {
            scopePrefix = scope.prefix().isEmpty() ? null : new ContentKey(scope.prefix());
        } catch (IllegalArgumentException noKey) {
            return NONE;
        }
        ContentKey prefix = selection.prefix();
        ContentKey max = selection.max();
        IndexKey from = Stream.of(selection.min(), prefix, scopePrefix, next)
                .filter(key -> key != null)
                .map(IndexKey::of)
                .max(IndexKey::compareTo)
                .orElse(null);
        IndexKey until = Stream.of(
                        max == null ? null : IndexKey.of(max).next(),
                        prefix == null ? null : IndexKey.of(prefix).afterAllBelow(),
                        scopePrefix == null ? null : IndexKey.of(scopePrefix).afterAllBelow())
                .filter(bound -> bound != null)
                .min(IndexKey::compareTo)
                .orElse(null);
        return from != null && until != null && from.compareTo(until) >= 0 ? NONE : new KeyRange(from, until);
    }

    private static boolean contains(KeyRange range, IndexKey key) {
        return (range.from() == null || key.compareTo(range.from()) >= 0)
                && (range.until() == null || key.compareTo(range.until()) < 0);
    }
}
