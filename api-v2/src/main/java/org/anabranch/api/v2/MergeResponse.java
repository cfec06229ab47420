package org.anabranch.api.v2;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import org.anabranch.model.CommitId;
import org.anabranch.model.Conflict;
import org.anabranch.model.ContentKey;
import org.anabranch.model.MergeMode;
import org.jspecify.annotations.Nullable;

/**
 * How a merge or transplant ended.
 *
 * @param resultantTargetHash the new head; the head as it is when there was nothing to do; null for conflicts and dry runs,
 *     except a dry run whose source is merged already
 * @param commonAncestor the merge base; null for a transplant
 */
public record MergeResponse(
        boolean wasApplied,
        boolean wasSuccessful,
        @Nullable CommitId resultantTargetHash,
        @Nullable CommitId commonAncestor,
        String targetBranch,
        CommitId effectiveTargetHash,
        @Nullable CommitId expectedHash,
        List<KeyDetails> details) {

    /** What became of one key. */
    public record KeyDetails(
            ContentKey key,
            MergeMode mergeBehavior,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            Conflict conflict) {}
}
