package org.anabranch.versioning.commit;

import org.anabranch.model.Content;
import org.anabranch.model.ContentKey;
import org.anabranch.object.IndexEntry;
import org.jspecify.annotations.Nullable;

/** What a commit means to do to one key, with the entry that its caller believes the branch to hold there. */
public sealed interface KeyChange {

    ContentKey key();

    /** The entry at the caller's expected commit; null if the key is absent there. */
    @Nullable
    IndexEntry believed();

    /** Puts a key that is absent: a new content, or one that comes from a key that this commit removes (a rename). */
    record Create(ContentKey key, Content content) implements KeyChange {
        @Override
        public @Nullable IndexEntry believed() {
            return null;
        }
    }

    /** Puts another state of the content that the key holds. */
    record Update(ContentKey key, IndexEntry believed, Content content) implements KeyChange {}

    /** Removes the key's content and puts another one: a new one, or one that comes from a key that this commit removes. */
    record Replace(ContentKey key, @Nullable IndexEntry believed, Content content) implements KeyChange {}

    /** Removes the key. */
    record Delete(ContentKey key, @Nullable IndexEntry believed) implements KeyChange {}

    /** Changes nothing, and demands that nobody else did. */
    record Unchanged(ContentKey key, @Nullable IndexEntry believed) implements KeyChange {}
}
