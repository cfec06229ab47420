package org.anabranch.model;

import org.jspecify.annotations.Nullable;

/**
 * How a merge treats one key.
 *
 * @param expectedTarget the content, with its id, that the target must hold, whatever the merge base says; null to go by the
 *     merge base
 * @param resolved the content, with its id, to store instead of the source's; null to take the source's
 */
public record KeyMergeMode(
        ContentKey key,
        MergeMode mode,
        @Nullable Content expectedTarget,
        @Nullable Content resolved) {}
