package org.anabranch.api.ext;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.Iterator;
import org.anabranch.api.v2.CommitMetaBody;
import org.anabranch.api.v2.NextPage;
import org.anabranch.model.ChangeKind;
import org.anabranch.model.Content;
import org.anabranch.model.ContentId;
import org.anabranch.model.ContentKey;
import org.jspecify.annotations.Nullable;

/**
 * A page of the history of a key.
 *
 * @param changes youngest commit first; read while the answer is written
 */
@JsonPropertyOrder({"changes", "next"})
public record KeyHistoryResponse(
        Iterator<KeyChange> changes, @JsonUnwrapped NextPage next) {

    /**
     * What a commit did to the key.
     *
     * @param key as it was called then
     * @param renamedFrom the key that held the content before; only for a rename
     * @param renamedTo the key that holds the content afterwards; only for a deletion that was a rename
     * @param content what the key held afterwards; only where it was asked for, and not for a deletion
     */
    public record KeyChange(
            CommitMetaBody commitMeta,
            ContentKey key,
            ChangeKind change,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            ContentKey renamedFrom,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            ContentKey renamedTo,

            ContentId contentId,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            Content content) {}
}
