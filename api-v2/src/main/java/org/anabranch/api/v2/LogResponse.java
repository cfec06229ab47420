package org.anabranch.api.v2;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.Iterator;
import org.anabranch.model.CommitId;
import org.anabranch.model.Operation;
import org.jspecify.annotations.Nullable;

/**
 * A page of a history.
 *
 * @param logEntries youngest commit first; read while the answer is written
 */
@JsonPropertyOrder({"logEntries", "next"})
public record LogResponse(
        Iterator<LogEntry> logEntries, @JsonUnwrapped NextPage next) {

    /**
     * A commit. Its operations only where they were asked for, deletions before puts, each in key order, read while the answer is
     * written; else null.
     */
    public record LogEntry(
            CommitMetaBody commitMeta,
            CommitId parentCommitHash,
            @Nullable Iterator<Operation> operations) {}
}
