package org.anabranch.api.ext;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.Iterator;
import org.anabranch.api.v2.CommitMetaBody;
import org.anabranch.api.v2.NextPage;
import org.anabranch.api.v2.ReferenceBody;
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
public record ChangedEntriesResponse(
        ReferenceBody effectiveReference,
        Iterator<Entry> entries,
        @JsonUnwrapped NextPage next) {

    /**
     * A key, what it holds, and the commit that put it there.
     *
     * @param content only where it was asked for, else absent
     */
    public record Entry(
            ContentKey key,
            ContentType type,
            ContentId contentId,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            Content content,

            CommitMetaBody lastChange) {}
}
