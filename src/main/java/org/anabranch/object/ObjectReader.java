package org.anabranch.object;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.anabranch.model.CommitId;
import org.anabranch.model.Content;

/**
 * Reads what commit rows hold. All methods are bulk: what is not in hand costs one or two store trips together.
 *
 * <p>Whoever holds one can read and not write. Throws {@link org.anabranch.store.MissingRowException} if something that is
 * pointed at is not stored, and {@link CorruptObjectException} if it cannot be what was written.
 */
public interface ObjectReader {

    /** The commit with that hash, {@link Commit#NO_ANCESTOR} included; empty if none is stored. */
    default Optional<Commit> findCommit(CommitId id) {
        return Optional.ofNullable(findCommits(List.of(id)).get(id));
    }

    /** The commits that are stored; unknown ids are absent. */
    Map<CommitId, Commit> findCommits(Collection<CommitId> ids);

    default Commit commit(long number) {
        return commits(List.of(number)).get(0);
    }

    /** Commits by number, in the order asked for; 0 is {@link Commit#NO_ANCESTOR}. */
    List<Commit> commits(List<Long> numbers);

    default Node node(NodeAddress address) {
        return nodes(List.of(address)).get(0);
    }

    /** Nodes in the order asked for. */
    List<Node> nodes(List<NodeAddress> addresses);

    /**
     * Where the whole node lies that the node at an address is stored as edits of; the address itself if it is stored
     * whole. Costs nothing for a node that was just read.
     */
    NodeAddress wholeNodeBehind(NodeAddress address);

    /** The contents of entries, with their ids, in the order asked for. */
    List<Content> contents(List<IndexEntry> entries);

    /** What a commit did, in key order. Small lists lie in the header and cost nothing. */
    List<KeyOperation> operations(Commit commit);
}
