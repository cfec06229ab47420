package org.anabranch.object;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.anabranch.model.CommitId;
import org.anabranch.model.Content;

/**
 * Reads as another reader does, and besides that the rows staged here, which are not stored yet. Not safe from many threads:
 * each batch of a branch has its own.
 */
public final class StagedObjects implements ObjectReader {

    public StagedObjects(ObjectReader stored) {}

    /** Makes a row readable here. Its parents are stored or were added before. */
    public void add(CommitRowBuilder.Built row) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Map<CommitId, Commit> findCommits(Collection<CommitId> ids) {
        throw new UnsupportedOperationException();
    }

    @Override
    public List<Commit> commits(List<Long> numbers) {
        throw new UnsupportedOperationException();
    }

    @Override
    public List<Node> nodes(List<NodeAddress> addresses) {
        throw new UnsupportedOperationException();
    }

    @Override
    public List<Content> contents(List<IndexEntry> entries) {
        throw new UnsupportedOperationException();
    }

    @Override
    public List<KeyOperation> operations(Commit commit) {
        throw new UnsupportedOperationException();
    }
}
