package org.anabranch.api.v2;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.Iterator;
import org.anabranch.model.Content;
import org.anabranch.model.ContentId;
import org.anabranch.model.ContentKey;
import org.anabranch.model.ContentType;
import org.jspecify.annotations.Nullable;

/**
 * A page of the keys of a commit.
 *
 * @param entries in key order; read while the answer is written
 */
@JsonPropertyOrder({"effectiveReference", "entries", "next"})
public record EntriesResponse(
        ReferenceBody effectiveReference,
        Iterator<Entry> entries,
        @JsonUnwrapped NextPage next) {

    /** A key and what it holds; the content itself only where it was asked for, else null. */
    public record Entry(
            ContentType type,
            ContentKey name,
            ContentId contentId,
            @Nullable Content content) {}
}
