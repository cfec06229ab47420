package org.anabranch.object;

import java.util.List;
import org.anabranch.model.CommitId;

/**
 * A commit at its place in an export.
 *
 * @param ordinal the place, from 1; parents have lower ones
 * @param id which it had where it came from
 * @param parents their ordinals, in the order of the commit's parents; 0 for no ancestor
 */
public record ExportedCommit(int ordinal, CommitId id, List<Integer> parents, LogicalCommit commit) {

    public ExportedCommit {
        parents = List.copyOf(parents);
    }
}
