package org.anabranch.testing;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.anabranch.model.CommitId;
import org.anabranch.model.Content;
import org.anabranch.object.Commit;
import org.anabranch.object.IndexEntry;
import org.anabranch.object.KeyOperation;
import org.anabranch.object.Node;
import org.anabranch.object.NodeAddress;
import org.anabranch.object.ObjectReader;

/** Counts what is asked of another reader, in its cache or not, and in how many bulk reads. */
public final class CountingReader implements ObjectReader {

    private final Supplier<? extends ObjectReader> reader;
    private int commits;
    private int nodes;
    private int contents;
    private int operations;
    private int trips;

    /** @param reader asked for at each read, so that it can be replaced */
    public CountingReader(Supplier<? extends ObjectReader> reader) {
        this.reader = reader;
    }

    public int commitsRead() {
        return commits;
    }

    public int nodesRead() {
        return nodes;
    }

    public int contentsRead() {
        return contents;
    }

    /** How many commits were asked for their operations. */
    public int operationsRead() {
        return operations;
    }

    public int trips() {
        return trips;
    }

    public void resetCounts() {
        commits = 0;
        nodes = 0;
        contents = 0;
        operations = 0;
        trips = 0;
    }

    @Override
    public Map<CommitId, Commit> findCommits(Collection<CommitId> ids) {
        trips++;
        commits += ids.size();
        return reader.get().findCommits(ids);
    }

    @Override
    public List<Commit> commits(List<Long> numbers) {
        trips++;
        commits += numbers.size();
        return reader.get().commits(numbers);
    }

    @Override
    public List<Node> nodes(List<NodeAddress> addresses) {
        trips++;
        nodes += addresses.size();
        return reader.get().nodes(addresses);
    }

    @Override
    public NodeAddress wholeNodeBehind(NodeAddress address) {
        return reader.get().wholeNodeBehind(address);
    }

    @Override
    public List<Content> contents(List<IndexEntry> entries) {
        trips++;
        contents += entries.size();
        return reader.get().contents(entries);
    }

    @Override
    public List<KeyOperation> operations(Commit commit) {
        operations++;
        return reader.get().operations(commit);
    }
}
