package org.anabranch.service;

import java.util.Optional;
import org.anabranch.model.CommitId;
import org.anabranch.object.Commit;
import org.anabranch.object.ObjectReader;

/** Tells the operators' log what a write replaced. Safe from many threads. */
public final class PreviousHeads {

    private final ObjectReader objects;

    public PreviousHeads(ObjectReader objects) {
        this.objects = objects;
    }

    /** The head on which a commit was made, its first parent; empty if the commit is not there any more. Mostly reads nothing. */
    public Optional<CommitId> before(CommitId head) {
        return objects.findCommit(head)
                .filter(commit -> !commit.isNoAncestor())
                .map(Commit::parents)
                .map(parents -> parents.get(0).id());
    }
}
