package org.anabranch.versioning.commit;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.anabranch.model.CommitId;
import org.anabranch.model.Content;
import org.anabranch.object.Commit;
import org.anabranch.object.IndexEntry;
import org.anabranch.object.KeyOperation;
import org.anabranch.object.Node;
import org.anabranch.object.NodeAddress;
import org.anabranch.object.ObjectReader;

/** Reads as another reader does, and gives a sign before each read, so that whoever reads for long is heard of. For one thread. */
final class HeardReads implements ObjectReader {

    private final ObjectReader stored;
    private Runnable sign = () -> {};

    HeardReads(ObjectReader stored) {
        this.stored = stored;
    }

    /** Gives another sign from now on. */
    void giveSign(Runnable beforeEachRead) {
        sign = beforeEachRead;
    }

    @Override
    public Map<CommitId, Commit> findCommits(Collection<CommitId> ids) {
        sign.run();
        return stored.findCommits(ids);
    }

    @Override
    public Commit commit(long number) {
        sign.run();
        return stored.commit(number);
    }

    @Override
    public List<Commit> commits(List<Long> numbers) {
        sign.run();
        return stored.commits(numbers);
    }

    @Override
    public Node node(NodeAddress address) {
        sign.run();
        return stored.node(address);
    }

    @Override
    public List<Node> nodes(List<NodeAddress> addresses) {
        sign.run();
        return stored.nodes(addresses);
    }

    @Override
    public NodeAddress wholeNodeBehind(NodeAddress address) {
        return stored.wholeNodeBehind(address);
    }

    @Override
    public List<Content> contents(List<IndexEntry> entries) {
        sign.run();
        return stored.contents(entries);
    }

    @Override
    public List<KeyOperation> operations(Commit commit) {
        sign.run();
        return stored.operations(commit);
    }
}
