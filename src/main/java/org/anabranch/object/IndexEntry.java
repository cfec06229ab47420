package org.anabranch.object;

import org.anabranch.model.ContentId;
import org.anabranch.model.ContentType;

/**
 * What a commit holds under one key.
 *
 * @param seq of the commit, on the first-parent line of every commit that holds this entry, that last put the key
 */
public record IndexEntry(IndexKey key, ContentType type, ContentId contentId, long seq, StoredContent content) {

    /** Whether type, content id and content agree; key and {@code seq} do not count. */
    public boolean hasSameValueAs(IndexEntry other) {
        return type == other.type && contentId.equals(other.contentId) && content.hasSameBytesAs(other.content);
    }
}
