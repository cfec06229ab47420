package org.anabranch.versioning.refs;

import org.anabranch.dag.CommitGraph;
import org.anabranch.model.RefusedException;
import org.anabranch.object.Commit;
import org.anabranch.store.ReferenceRow;

/**
 * The branch that a write goes to.
 *
 * @param row of the branch, as seen
 * @param head the commit the row points at
 * @param expected where the caller believes the branch to be: the head or an earlier commit of its first-parent line, no
 *     ancestor included
 */
public record BranchTarget(ReferenceRow row, Commit head, Commit expected) {

    /**
     * Checks a head of the branch: O(log h) reads.
     *
     * @throws RefusedException 404 if the expected commit is not on its first-parent line
     */
    public void requireOnLine(Commit ofHead, CommitGraph graph) {
        if (!graph.isOnLine(expected, ofHead)) {
            throw References.notInReference(expected.id().toString(), row.name());
        }
    }
}
