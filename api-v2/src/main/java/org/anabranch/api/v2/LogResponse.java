package org.anabranch.api.v2;

import java.util.List;
import org.anabranch.model.CommitId;
import org.anabranch.model.Operation;
import org.jspecify.annotations.Nullable;

/** A page of a history, youngest commit first. The token is null iff there is no further page. */
public record LogResponse(@Nullable String token, List<LogEntry> logEntries, boolean hasMore) {

    /** A commit. Its operations only where they were asked for, deletions before puts, each in key order; else null. */
    public record LogEntry(
            CommitMetaBody commitMeta,
            @Nullable CommitId parentCommitHash,
            @Nullable List<Operation> operations) {}
}
