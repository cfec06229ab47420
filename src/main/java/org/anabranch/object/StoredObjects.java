package org.anabranch.object;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.anabranch.model.CommitId;
import org.anabranch.model.Content;
import org.anabranch.store.Store;

/** Reads published and stored commit rows, through a cache of decoded items shared by all branches. */
public final class StoredObjects implements ObjectReader {

    /**
     * @param cacheBytes the most memory that decoded items may take, roughly
     */
    public StoredObjects(Store store, long cacheBytes) {}

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
