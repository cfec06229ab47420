package org.anabranch.api.v2;

import java.util.List;
import org.anabranch.model.Content;
import org.anabranch.model.ContentId;
import org.anabranch.model.ContentKey;
import org.anabranch.model.ContentType;
import org.jspecify.annotations.Nullable;

/** A page of the keys of a commit, in key order. The token is null iff there is no further page. */
public record EntriesResponse(
        @Nullable String token, List<Entry> entries, ReferenceBody effectiveReference, boolean hasMore) {

    /** A key and what it holds; the content itself only where it was asked for, else null. */
    public record Entry(
            ContentType type,
            ContentKey name,
            ContentId contentId,
            @Nullable Content content) {}
}
