package org.anabranch.versioning.read;

import java.util.Collection;
import java.util.List;
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
                : alone.stream().map(IndexKey::of).filter(range::contains).toList();
        return new KeyWindow(keys, range, scope.maxElements());
    }

    private static KeyRange range(KeySelection selection, KeyScope scope, @Nullable ContentKey next) {
        ContentKey scopePrefix;
        try {
            scopePrefix = scope.prefix().isEmpty() ? null : new ContentKey(scope.prefix());
        } catch (IllegalArgumentException noKey) {
            return NONE;
        }
        ContentKey max = selection.max();
        return new KeyRange(
                        indexed(selection.min()),
                        max == null ? null : IndexKey.of(max).next())
                .and(keyAndBelow(selection.prefix()))
                .flatMap(range -> range.and(keyAndBelow(scopePrefix)))
                .flatMap(range -> range.and(new KeyRange(indexed(next), null)))
                .orElse(NONE);
    }

    private static KeyRange keyAndBelow(@Nullable ContentKey prefix) {
        return prefix == null ? KeyRange.ALL : KeyRange.keyAndBelow(IndexKey.of(prefix));
    }

    private static @Nullable IndexKey indexed(@Nullable ContentKey key) {
        return key == null ? null : IndexKey.of(key);
    }
}
