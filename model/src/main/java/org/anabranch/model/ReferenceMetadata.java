package org.anabranch.model;

import org.jspecify.annotations.Nullable;

/**
 * What is known of a branch or tag with commits beyond its head.
 *
 * @param numCommitsAhead of the default branch, counted on first-parent lines; null for tags and the default branch itself
 * @param numCommitsBehind the default branch; null likewise
 * @param commonAncestor with the default branch; null likewise
 * @param numTotalCommits length of the first-parent line
 */
public record ReferenceMetadata(
        @Nullable Integer numCommitsAhead,
        @Nullable Integer numCommitsBehind,
        CommitHeader head,
        @Nullable CommitId commonAncestor,
        long numTotalCommits) {}
