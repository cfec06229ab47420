package org.anabranch.model;

import java.util.List;

/**
 * Asks for one commit on a branch.
 *
 * @param branch with the commit at which the caller believes the touched keys to be as they are
 * @param operations in the order given; at least one
 */
public record CommitRequest(RefSpec branch, GivenMeta meta, List<Operation> operations) {

    public CommitRequest {
        operations = List.copyOf(operations);
        if (operations.isEmpty()) {
            throw new IllegalArgumentException("A commit has at least one operation");
        }
    }
}
