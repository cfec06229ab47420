package org.anabranch.testing;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.anabranch.model.CommitId;
import org.anabranch.model.Content;
import org.anabranch.object.Commit;
import org.anabranch.object.IndexEntry;
import org.anabranch.object.KeyOperation;
import org.anabranch.object.Node;
import org.anabranch.object.NodeAddress;
import org.anabranch.object.NodeSink;
import org.anabranch.object.ObjectReader;
import org.jspecify.annotations.Nullable;

/** Keeps index nodes in memory as they are, and counts what is read and written. Knows no commits. */
public final class NodeHeap implements ObjectReader, NodeSink {

    private final Map<NodeAddress, Node> nodes = new HashMap<>();
    private int nodesRead;
    private int trips;
    private int nodesWritten;

    /** How many nodes were asked for since the last {@link #resetCounts}. */
    public int nodesRead() {
        return nodesRead;
    }

    /** How many bulk reads there were since the last {@link #resetCounts}. */
    public int trips() {
        return trips;
    }

    /** How many nodes were added since the last {@link #resetCounts}. */
    public int nodesWritten() {
        return nodesWritten;
    }

    public void resetCounts() {
        nodesRead = 0;
        trips = 0;
        nodesWritten = 0;
    }

    @Override
    public NodeAddress add(Node node, @Nullable NodeAddress replaced) {
        if (replaced != null && nodes.get(replaced).level() != node.level()) {
            throw new AssertionError("A node replaces one of another level");
        }
        NodeAddress address = new NodeAddress(1, nodes.size() + 1);
        nodes.put(address, node);
        nodesWritten++;
        return address;
    }

    @Override
    public List<Node> nodes(List<NodeAddress> addresses) {
        trips++;
        nodesRead += addresses.size();
        return addresses.stream().map(nodes::get).toList();
    }

    @Override
    public NodeAddress wholeNodeBehind(NodeAddress address) {
        return address;
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
    public List<Content> contents(List<IndexEntry> entries) {
        throw new UnsupportedOperationException();
    }

    @Override
    public List<KeyOperation> operations(Commit commit) {
        throw new UnsupportedOperationException();
    }
}
