package org.anabranch.model;

import java.time.Instant;
import java.util.List;

/**
 * A commit as it is shown: everything but what it holds.
 *
 * @param parents first the commit whose line it extends, then merge sources; {@link CommitId#NO_ANCESTOR} for a first commit
 * @param commitTime in whole microseconds
 */
public record CommitHeader(CommitId id, List<CommitId> parents, Instant commitTime, CommitMeta meta) {

    public CommitHeader {
        parents = List.copyOf(parents);
        if (parents.isEmpty()) {
            throw new IllegalArgumentException("A commit has at least one parent");
        }
    }
}
