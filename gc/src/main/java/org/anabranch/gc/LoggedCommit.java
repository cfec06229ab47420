package org.anabranch.gc;

import java.time.Instant;
import java.util.List;
import org.anabranch.model.CommitId;

/**
 * A commit with what it put.
 *
 * @param parent the commit before it on its line; {@link CommitId#NO_ANCESTOR} for a first one
 * @param puts at most one per key; what it deleted does not matter for files
 */
public record LoggedCommit(CommitId id, CommitId parent, Instant committedAt, List<CatalogEntry> puts) {

    public LoggedCommit {
        puts = List.copyOf(puts);
    }
}
