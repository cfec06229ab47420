package org.anabranch.filter;

import java.time.Instant;
import java.util.List;
import org.anabranch.model.CommitId;
import org.anabranch.model.CommitMeta;

/**
 * A commit as filters see it.
 *
 * @param parents first the commit whose line it extends
 */
public record CommitView(CommitId id, List<CommitId> parents, Instant commitTime, CommitMeta meta) {

    public CommitView {
        parents = List.copyOf(parents);
    }
}
