package org.anabranch.api.v2;

import org.anabranch.model.CommitId;
import org.anabranch.model.ReferenceMetadata;
import org.jspecify.annotations.Nullable;

/** What is known of a reference beyond its head; null where it does not apply. */
public record ReferenceMetadataBody(
        @Nullable Integer numCommitsAhead,
        @Nullable Integer numCommitsBehind,
        CommitMetaBody commitMetaOfHEAD,
        @Nullable CommitId commonAncestorHash,
        long numTotalCommits) {

    public static ReferenceMetadataBody of(ReferenceMetadata metadata) {
        return new ReferenceMetadataBody(
                metadata.numCommitsAhead(),
                metadata.numCommitsBehind(),
                CommitMetaBody.of(metadata.head()),
                metadata.commonAncestor(),
                metadata.numTotalCommits());
    }
}
