package org.anabranch.object;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.anabranch.model.CommitId;
import org.anabranch.model.Content;
import org.jspecify.annotations.Nullable;

/**
 * Reads as another reader does, and besides that the rows staged here, which are not stored yet. Not safe from many threads:
 * each batch of a branch has its own.
 */
public final class StagedObjects implements ObjectReader {

    private final ObjectReader stored;
    private Runnable beforeStored = () -> {};
    private final Map<CommitId, Commit> commitsById = new HashMap<>();
    private final Map<Long, Item.Header> headers = new HashMap<>();
    private final Map<NodeAddress, Item> items = new HashMap<>();

    public StagedObjects(ObjectReader stored) {
        this.stored = stored;
    }

    /** @param sign given before each turn to the reader below from now on, so that whoever reads for long is heard of */
    public void giveSign(Runnable sign) {
        beforeStored = sign;
    }

    /** Makes a row readable here. Its parents are stored or were added before. */
    public void add(CommitRowBuilder.Built row) {
        commitsById.put(row.commit().id(), row.commit());
        headers.put(row.commit().number(), row.header());
        items.putAll(row.items());
    }

    @Override
    public Map<CommitId, Commit> findCommits(Collection<CommitId> ids) {
        Map<CommitId, Commit> found = new HashMap<>();
        Set<CommitId> others = new HashSet<>();
        for (CommitId id : ids) {
            Commit staged = commitsById.get(id);
            if (staged == null) {
                others.add(id);
            } else {
                found.put(id, staged);
            }
        }
        if (!others.isEmpty()) {
            found.putAll(stored().findCommits(others));
        }
        return found;
    }

    @Override
    public Commit commit(long number) {
        Item.Header header = headers.get(number);
        return header == null ? stored().commit(number) : header.commit();
    }

    @Override
    public List<Commit> commits(List<Long> numbers) {
        return read(
                numbers,
                number -> {
                    Item.Header header = headers.get(number);
                    return header == null ? null : header.commit();
                },
                others -> stored().commits(others));
    }

    @Override
    public Node node(NodeAddress address) {
        return items.get(address) instanceof Item.StoredNode staged ? staged.node() : stored().node(address);
    }

    @Override
    public List<Node> nodes(List<NodeAddress> addresses) {
        return read(
                addresses,
                address -> items.get(address) instanceof Item.StoredNode staged ? staged.node() : null,
                others -> stored().nodes(others));
    }

    @Override
    public NodeAddress wholeNodeBehind(NodeAddress address) {
        return items.get(address) instanceof Item.StoredNode staged
                ? staged.whole()
                : stored().wholeNodeBehind(address);
    }

    @Override
    public List<Content> contents(List<IndexEntry> entries) {
        return read(
                entries,
                entry -> entry.content() instanceof StoredContent.Large large
                                && items.get(large.address()) instanceof Item.StoredBytes staged
                        ? ContentCodec.decode(entry.type(), entry.contentId(), staged.encoded())
                        : null,
                others -> stored().contents(others));
    }

    @Override
    public List<KeyOperation> operations(Commit commit) {
        Item.Header header = headers.get(commit.number());
        if (header == null) {
            return stored().operations(commit);
        }
        if (header.operations() != null) {
            return header.operations();
        }
        List<KeyOperation> operations = new ArrayList<>();
        for (int ordinal : header.operationItems()) {
            operations.addAll(((Item.Operations) items.get(new NodeAddress(commit.number(), ordinal))).operations());
        }
        return operations;
    }

    private ObjectReader stored() {
        beforeStored.run();
        return stored;
    }

    /** Takes from here what is staged, and reads the others from below together. */
    private static <A, T> List<T> read(
            List<A> wanted, Function<A, @Nullable T> staged, Function<List<A>, List<T>> below) {
        List<A> others = new ArrayList<>();
        List<@Nullable T> results = new ArrayList<>(wanted.size());
        for (A address : wanted) {
            T result = staged.apply(address);
            results.add(result);
            if (result == null) {
                others.add(address);
            }
        }
        List<T> read = others.isEmpty() ? List.of() : below.apply(others);
        List<T> complete = new ArrayList<>(wanted.size());
        int next = 0;
        for (T result : results) {
            complete.add(result == null ? read.get(next++) : result);
        }
        return complete;
    }
}
