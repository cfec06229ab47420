package org.anabranch.model;

import java.util.List;

/**
 * Asks for one commit that brings a source's changes since the merge base to a branch.
 *
 * @param target the branch, with the commit that the caller saw there; the merge is judged on the head all the same
 * @param source a reference and a commit, which need not be on it; without a name for a detached commit
 * @param meta an empty message stands for a generated one
 * @param defaultMode for keys without a mode of their own
 * @param keyModes at most one per key
 * @param dryRun whether only to say how it would end
 */
public record MergeRequest(
        RefSpec target,
        RefSpec source,
        GivenMeta meta,
        MergeMode defaultMode,
        List<KeyMergeMode> keyModes,
        boolean dryRun) {

    public MergeRequest {
        keyModes = List.copyOf(keyModes);
    }
}
