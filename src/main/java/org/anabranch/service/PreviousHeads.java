package org.anabranch.service;

import java.util.Optional;
import org.anabranch.model.CommitId;
import org.anabranch.object.Commit;
import org.anabranch.object.CorruptObjectException;
import org.anabranch.object.ObjectReader;
import org.anabranch.store.MissingRowException;
import org.anabranch.store.StoreUnavailableException;

/** Tells the operators' log what a write replaced. Safe from many threads. */
public final class PreviousHeads {

    private final ObjectReader objects;

    public PreviousHeads(ObjectReader objects) {
        this.objects = objects;
    }

    /**
     * The head on which a commit was made, its first parent; empty if that cannot be read any more, which is no reason to hide that
     * the commit was made. Mostly reads nothing.
     */
    public Optional<CommitId> before(CommitId head) {
        try {
            return objects.findCommit(head)
                    .filter(commit -> !commit.isNoAncestor())
                    .map(Commit::parents)
                    .map(parents -> parents.get(0).id());
        } catch (StoreUnavailableException | MissingRowException | CorruptObjectException e) {
            return Optional.empty();
        }
    }
}
