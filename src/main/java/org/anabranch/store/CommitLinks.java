package org.anabranch.store;

import java.util.List;
import org.anabranch.model.CommitId;

/** A commit row without its chunks: what a store itself knows of it, see {@link CommitRow}. */
public record CommitLinks(long number, CommitId id, List<Long> parents) {

    public CommitLinks {
        parents = List.copyOf(parents);
    }
}
