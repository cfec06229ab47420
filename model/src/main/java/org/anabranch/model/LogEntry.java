package org.anabranch.model;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A commit of a history.
 *
 * @param operations deletions, then puts, each in key order; null where they were not asked for, and for a
 *     commit without any
 */
public record LogEntry(CommitHeader commit, @Nullable List<Operation> operations) {

    public LogEntry {
        operations = operations == null ? null : List.copyOf(operations);
    }
}
