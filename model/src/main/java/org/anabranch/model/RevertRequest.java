package org.anabranch.model;

import java.util.List;

/**
 * Asks for one commit that takes changes back.
 *
 * @param target the branch, with the commit that the caller saw there; the revert is judged on the head all the same
 * @param meta an empty message stands for a generated one
 * @param defaultMode for keys without a mode of their own
 * @param keyModes at most one per key
 * @param dryRun whether only to say how it would end
 */
public record RevertRequest(
        RefSpec target,
        Scope scope,
        GivenMeta meta,
        MergeMode defaultMode,
        List<KeyMergeMode> keyModes,
        boolean dryRun) {

    public RevertRequest {
        keyModes = List.copyOf(keyModes);
    }

    /** What is taken back. */
    public sealed interface Scope {}

    /** All that a commit changed against its first parent. */
    public record OfCommit(HashSpec commit) implements Scope {}

    /** All that happened to a key after a commit. */
    public record OfKey(ContentKey key, HashSpec earlier) implements Scope {}
}
