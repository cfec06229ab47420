package org.anabranch.model;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Asks to replay commits on a branch, one new commit for each.
 *
 * @param target the branch, with the commit that the caller saw there; judged on the head all the same
 * @param sourceName a reference that must exist, {@code -} for the default branch; null for detached commits
 * @param commits at least one, oldest first, each the first parent of the next; they need not be on the source reference
 * @param message replaces the message of a single commit, and is ignored for several; null to keep the original
 * @param defaultMode for keys without a mode of their own
 * @param keyModes at most one per key
 * @param dryRun whether only to say how it would end
 */
public record TransplantRequest(
        RefSpec target,
        @Nullable String sourceName,
        List<HashSpec> commits,
        @Nullable String message,
        MergeMode defaultMode,
        List<KeyMergeMode> keyModes,
        boolean dryRun) {

    public TransplantRequest {
        commits = List.copyOf(commits);
        keyModes = List.copyOf(keyModes);
        if (commits.isEmpty()) {
            throw new IllegalArgumentException("A transplant has at least one commit");
        }
    }
}
