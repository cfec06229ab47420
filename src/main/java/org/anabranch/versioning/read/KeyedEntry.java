package org.anabranch.versioning.read;

import org.anabranch.model.Content;
import org.anabranch.model.ContentKey;
import org.anabranch.model.Entry;
import org.anabranch.object.IndexEntry;
import org.jspecify.annotations.Nullable;

/** An index entry whose key is decoded: once, for rules, filter and answer. */
record KeyedEntry(ContentKey key, IndexEntry stored) {

    static KeyedEntry of(IndexEntry stored) {
        return new KeyedEntry(stored.key().toContentKey(), stored);
    }

    /** @param content null where it is not shown */
    Entry with(@Nullable Content content) {
        return new Entry(key, stored.type(), stored.contentId(), content);
    }
}
