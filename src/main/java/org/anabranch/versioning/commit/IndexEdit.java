package org.anabranch.versioning.commit;

import java.util.Collections;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import org.anabranch.model.Content;
import org.anabranch.model.ContentId;
import org.anabranch.model.ContentKey;
import org.anabranch.model.ContentType;
import org.anabranch.object.IndexEntry;

/** What one commit does to the key index of the commit before. May be empty: a commit need not change anything. */
public record IndexEdit(SortedMap<ContentKey, KeyEdit> keys) {

    public IndexEdit {
        keys = Collections.unmodifiableSortedMap(new TreeMap<>(keys));
    }

    /** What happens to one key. */
    public sealed interface KeyEdit {}

    /** The key goes. */
    public record Remove() implements KeyEdit {}

    /** The key holds that content afterwards. */
    public record Put(Effect effect, NewValue value) implements KeyEdit {}

    /** What a put means for what the key held before. */
    public enum Effect {
        /** The key held nothing. */
        CREATED,
        /** The key held content of the same type, and goes on with another state. */
        UPDATED,
        /** The key held something that ends, and something else begins. */
        REPLACED
    }

    /** Where the content of a put comes from. It has an id. */
    public sealed interface NewValue {

        ContentType type();

        ContentId contentId();
    }

    /** A content in memory. */
    public record Given(Content content) implements NewValue {

        public Given {
            if (content.id() == null) {
                throw new IllegalArgumentException("A content has an id before it is stored");
            }
        }

        @Override
        public ContentType type() {
            return content.type();
        }

        @Override
        public ContentId contentId() {
            return Objects.requireNonNull(content.id());
        }
    }

    /** The content of an entry of an ancestor of the new commit, by any parent: it stays where it is stored. */
    public record Stored(IndexEntry entry) implements NewValue {

        @Override
        public ContentType type() {
            return entry.type();
        }

        @Override
        public ContentId contentId() {
            return entry.contentId();
        }
    }

    public boolean isEmpty() {
        return keys.isEmpty();
    }
}
