package org.anabranch.api.v2;

import java.util.List;
import org.anabranch.model.Content;
import org.anabranch.model.ContentKey;
import org.jspecify.annotations.Nullable;

/** A page of the keys that differ between two commits, in key order. The token is null iff there is no further page. */
public record DiffResponse(
        @Nullable String token,
        List<DiffEntry> diffs,
        ReferenceBody effectiveFromReference,
        ReferenceBody effectiveToReference,
        boolean hasMore) {

    /** What a key holds on either side; null where it holds nothing. */
    public record DiffEntry(
            ContentKey key,
            @Nullable Content from,
            @Nullable Content to) {}
}
