package org.anabranch.model;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where a branch or tag is, and where it was lately.
 *
 * @param previous newest first
 * @param line the worst that was found on the line behind the head
 */
public record RecentHeads(Reference.Named reference, RecentHead current, List<RecentHead> previous, Consistency line) {

    public RecentHeads {
        previous = List.copyOf(previous);
    }

    /**
     * A head.
     *
     * @param header null for no ancestor, and if the commit cannot or may not be read
     */
    public record RecentHead(
            CommitId hash,
            Consistency consistency,
            @Nullable CommitHeader header) {}
}
