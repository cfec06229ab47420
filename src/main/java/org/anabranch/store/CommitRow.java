package org.anabranch.store;

import java.util.List;
import org.anabranch.model.CommitId;

/**
 * The one immutable stored record: a commit with the index nodes born in it.
 *
 * @param number of this row, unique in the repository, from 1
 * @param id of the commit. Two writers that staged the same request on the same parent give it two rows, equal in all
 *     but number and addresses
 * @param parents the numbers of all parents, first parent first; 0 stands for no ancestor
 * @param chunks at least one, each at most about 32 kB unless one item alone is larger; opaque to the store
 */
public record CommitRow(long number, CommitId id, List<Long> parents, List<byte[]> chunks) {

    public CommitRow {
        parents = List.copyOf(parents);
        chunks = List.copyOf(chunks);
        if (number < 1) {
            throw new IllegalArgumentException("Rows are numbered from 1");
        }
        if (chunks.isEmpty()) {
            throw new IllegalArgumentException("A row has at least one chunk");
        }
    }
}
