package org.anabranch.api.v2;

import java.util.List;
import org.anabranch.model.CommitId;
import org.anabranch.model.Consistency;
import org.jspecify.annotations.Nullable;

/** Where a reference is and was; the earlier heads newest first. */
public record RecentChangesResponse(
        ReferenceBody reference, State current, List<State> previous, Consistency commitLogConsistency) {

    /** A head. Its metadata is null at the no-ancestor hash, and where it cannot be read. */
    public record State(
            CommitId commitHash,
            Consistency commitConsistency,
            @Nullable CommitMetaBody meta) {}
}
