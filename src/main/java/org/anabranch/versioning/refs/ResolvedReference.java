package org.anabranch.versioning.refs;

import org.anabranch.model.Reference;
import org.anabranch.object.Commit;
import org.anabranch.store.ReferenceRow;
import org.jspecify.annotations.Nullable;

/**
 * A commit to read, and the reference it was asked for under. The row is as it was when the request was resolved; the commit
 * need not be its head, nor reachable from it.
 *
 * @param row of the branch or tag that was named; null for a detached commit
 */
public record ResolvedReference(@Nullable ReferenceRow row, Commit commit) {

    /** The reference as an answer names it: kind and name, the default branch by its own name, at the commit read. */
    public Reference effective() {
        return row == null
                ? new Reference.Detached(commit.id())
                : new Reference.Named(row.kind(), row.name(), commit.id());
    }
}
