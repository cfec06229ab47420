package org.anabranch.api.v2;

import java.util.List;
import org.anabranch.model.ContentId;
import org.anabranch.model.ContentKey;
import org.jspecify.annotations.Nullable;

/**
 * Where the branch is after a commit.
 *
 * @param addedContents the content ids that the server gave; null, not empty, when it gave none
 */
public record CommitResponse(
        ReferenceBody targetBranch, @Nullable List<AddedContent> addedContents) {

    /** A key and the content id that was made for it. */
    public record AddedContent(ContentKey key, ContentId contentId) {}
}
