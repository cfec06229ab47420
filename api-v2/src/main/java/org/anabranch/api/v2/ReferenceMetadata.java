package org.anabranch.api.v2;

import org.anabranch.model.CommitId;
import org.jspecify.annotations.Nullable;

/** What is known of a reference beyond its head; null where it does not apply. */
public record ReferenceMetadata(
        @Nullable Integer numCommitsAhead,
        @Nullable Integer numCommitsBehind,
        @Nullable CommitMetaBody commitMetaOfHEAD,
        @Nullable CommitId commonAncestorHash,
        @Nullable Long numTotalCommits) {}
