package org.anabranch.filter;

import org.anabranch.model.CommitId;
import org.anabranch.model.ReferenceKind;
import org.jspecify.annotations.Nullable;

/**
 * A reference as filters see it.
 *
 * @param metadata null where it is not fetched, and for a reference without commits
 */
public record ReferenceView(
        ReferenceKind kind,
        String name,
        CommitId hash,
        @Nullable Metadata metadata) {

    /** What is known of a reference beyond its head; null where it does not apply. */
    public record Metadata(
            @Nullable Integer numCommitsAhead,
            @Nullable Integer numCommitsBehind,
            @Nullable CommitId commonAncestorHash,
            @Nullable Long numTotalCommits,
            CommitView head) {}
}
