package org.anabranch.object;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Policy.Eviction;
import com.github.benmanes.caffeine.cache.stats.CacheStats;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import org.anabranch.model.CommitId;
import org.anabranch.model.Content;
import org.anabranch.store.ChunkAddress;
import org.anabranch.store.MissingRowException;
import org.anabranch.store.Store;
import org.jspecify.annotations.Nullable;

/**
 * Reads stored commit rows, through a cache of decoded items shared by all branches. Safe from many threads.
 *
 * <p>Every call costs at most one store trip for the chunks that are not cached, and one more for the chunks of whole nodes
 * that nodes among them are edits of. Looking up ids costs one trip before that.
 */
public final class StoredObjects implements ObjectReader {

    private static final int ENTRY_BYTES = 100;

    /** How many stay in the cache for requests that are judged on slightly older heads. */
    private static final int REPLACED_NODES = 1_024;

    private final Store store;

    /** Decoded items and undecoded chunks by {@link NodeAddress} and {@link ChunkAddress}; numbers by {@link CommitId}. */
    private final Cache<Object, Object> cache;

    /** The nodes replaced last, oldest first. Guarded by itself. */
    private final Queue<NodeAddress> replaced = new ArrayDeque<>();

    /** @param cacheBytes the most memory that decoded items may take, roughly */
    public StoredObjects(Store store, long cacheBytes) {
        this.store = store;
        this.cache = Caffeine.newBuilder()
                .maximumWeight(cacheBytes)
                .weigher(StoredObjects::weight)
                .executor(Runnable::run)
                .recordStats()
                .build();
    }

    private static int weight(Object address, Object value) {
        return ENTRY_BYTES
                + switch (value) {
                    case Item item -> item.weight();
                    case Chunk chunk -> chunk.payload().length + 24 * chunk.items();
                    default -> 24;
                };
    }

    /** How the cache does. Costs no more than a few counters. */
    public CacheUse cacheUse() {
        CacheStats stats = cache.stats();
        Eviction<?, ?> room = cache.policy().eviction().orElseThrow();
        return new CacheUse(
                stats.hitCount(),
                stats.missCount(),
                stats.evictionCount(),
                stats.evictionWeight(),
                room.weightedSize().orElseThrow(),
                room.getMaximum());
    }

    /**
     * Keeps a row that was published in the cache, so that reading it costs no trip. The nodes that it replaces leave the cache after
     * {@value #REPLACED_NODES} others have been replaced; whoever still has use for one reads it anew.
     */
    public void remember(CommitRowBuilder.Built row) {
        Commit commit = row.commit();
        cache.put(commit.id(), commit.number());
        cache.put(headerAddress(commit.number()), row.header());
        row.items().forEach(cache::put);
        letGo(row.replaced());
    }

    /** The cache would take the new versions for those to evict: the old ones were read more often so far. */
    private void letGo(List<NodeAddress> nodes) {
        List<NodeAddress> oldest = new ArrayList<>();
        synchronized (replaced) {
            replaced.addAll(nodes);
            while (replaced.size() > REPLACED_NODES) {
                oldest.add(replaced.remove());
            }
        }
        cache.invalidateAll(oldest);
    }

    /** Looks ids up in the store from now on, because rows may have been deleted that the cache has numbers of. */
    public void forget(Collection<CommitId> ids) {
        cache.invalidateAll(ids);
    }

    /**
     * {@inheritDoc}
     *
     * <p>A commit that was deleted since it was last read is found as long as it lies in the cache. Whether it may still be built on
     * is decided by the store.
     */
    @Override
    public Map<CommitId, Commit> findCommits(Collection<CommitId> ids) {
        try {
            return findOnce(ids);
        } catch (MissingRowException deleted) {
            forget(ids);
            return findOnce(ids);
        }
    }

    private Map<CommitId, Commit> findOnce(Collection<CommitId> ids) {
        Map<CommitId, Long> numbers = new HashMap<>();
        Set<CommitId> unknown = new LinkedHashSet<>();
        for (CommitId id : ids) {
            if (id.equals(CommitId.NO_ANCESTOR)) {
                numbers.put(id, 0L);
            } else if (cache.getIfPresent(id) instanceof Long number) {
                numbers.put(id, number);
            } else {
                unknown.add(id);
            }
        }
        if (!unknown.isEmpty()) {
            Map<CommitId, Long> found = store.find(unknown);
            found.forEach(cache::put);
            numbers.putAll(found);
        }
        List<CommitId> order = List.copyOf(numbers.keySet());
        List<Commit> commits = commits(order.stream().map(numbers::get).toList());
        Map<CommitId, Commit> result = new HashMap<>();
        for (int i = 0; i < order.size(); i++) {
            if (!commits.get(i).id().equals(order.get(i))) {
                throw new CorruptObjectException("A commit row has another id than it is found by");
            }
            result.put(order.get(i), commits.get(i));
        }
        return result;
    }

    @Override
    public Commit commit(long number) {
        return number == 0
                ? Commit.NO_ANCESTOR
                : require(Item.Header.class, item(headerAddress(number))).commit();
    }

    @Override
    public List<Commit> commits(List<Long> numbers) {
        List<NodeAddress> stored = numbers.stream()
                .filter(number -> number != 0)
                .map(StoredObjects::headerAddress)
                .toList();
        Map<NodeAddress, Item> headers = items(stored);
        List<Commit> commits = new ArrayList<>(numbers.size());
        for (long number : numbers) {
            commits.add(
                    number == 0
                            ? Commit.NO_ANCESTOR
                            : require(Item.Header.class, headers.get(headerAddress(number)))
                                    .commit());
        }
        return commits;
    }

    @Override
    public Node node(NodeAddress address) {
        return require(Item.StoredNode.class, item(address)).node();
    }

    @Override
    public List<Node> nodes(List<NodeAddress> addresses) {
        Map<NodeAddress, Item> items = items(addresses);
        return addresses.stream()
                .map(address ->
                        require(Item.StoredNode.class, items.get(address)).node())
                .toList();
    }

    @Override
    public NodeAddress wholeNodeBehind(NodeAddress address) {
        return require(Item.StoredNode.class, item(address)).whole();
    }

    @Override
    public List<Content> contents(List<IndexEntry> entries) {
        List<NodeAddress> large = new ArrayList<>();
        for (IndexEntry entry : entries) {
            if (entry.content() instanceof StoredContent.Large content) {
                large.add(content.address());
            }
        }
        Map<NodeAddress, Item> items = items(large);
        List<Content> contents = new ArrayList<>(entries.size());
        for (IndexEntry entry : entries) {
            byte[] encoded =
                    switch (entry.content()) {
                        case StoredContent.Inline inline -> inline.encoded();
                        case StoredContent.Large content ->
                            require(Item.StoredBytes.class, items.get(content.address()))
                                    .encoded();
                    };
            contents.add(ContentCodec.decode(entry.type(), entry.contentId(), encoded));
        }
        return contents;
    }

    /**
     * Those of some entries whose large contents are not what the entries say: of another size or digest. Costs as
     * {@link #contents}; small contents lie in the entries and cost nothing.
     */
    public List<IndexEntry> damagedContents(List<IndexEntry> entries) {
        Map<NodeAddress, StoredContent.Large> large = new HashMap<>();
        for (IndexEntry entry : entries) {
            if (entry.content() instanceof StoredContent.Large content) {
                large.put(content.address(), content);
            }
        }
        Map<NodeAddress, Item> items = items(large.keySet());
        return entries.stream()
                .filter(entry -> entry.content() instanceof StoredContent.Large content
                        && !(items.get(content.address()) instanceof Item.StoredBytes(byte[] encoded)
                                && encoded.length == content.encodedBytes()
                                && ContentDigest.of(encoded).equals(content.digest())))
                .toList();
    }

    @Override
    public List<KeyOperation> operations(Commit commit) {
        if (commit.isNoAncestor()) {
            return List.of();
        }
        Item.Header header = require(Item.Header.class, item(headerAddress(commit.number())));
        if (header.operations() != null) {
            return header.operations();
        }
        List<NodeAddress> parts = header.operationItems().stream()
                .map(ordinal -> new NodeAddress(commit.number(), ordinal))
                .toList();
        Map<NodeAddress, Item> items = items(parts);
        List<KeyOperation> operations = new ArrayList<>();
        for (NodeAddress part : parts) {
            operations.addAll(require(Item.Operations.class, items.get(part)).operations());
        }
        return operations;
    }

    private @Nullable Item item(NodeAddress address) {
        return cache.getIfPresent(address) instanceof Item item
                ? item
                : fetched(Set.of(address)).get(address);
    }

    /**
     * Reads items: 1. from the cache; 2. the chunks of all others in one trip; 3. the chunks of the whole nodes that those are
     * edits of in one more.
     */
    private Map<NodeAddress, Item> items(Collection<NodeAddress> wanted) {
        Map<NodeAddress, Item> items = new HashMap<>();
        Set<NodeAddress> missing = new LinkedHashSet<>();
        for (NodeAddress address : wanted) {
            if (cache.getIfPresent(address) instanceof Item item) {
                items.put(address, item);
            } else {
                missing.add(address);
            }
        }
        if (!missing.isEmpty()) {
            items.putAll(fetched(missing));
        }
        return items;
    }

    /** Steps 2 and 3 of {@link #items}. */
    private Map<NodeAddress, Item> fetched(Set<NodeAddress> missing) {
        Map<NodeAddress, Item> items = new HashMap<>();
        Map<ChunkAddress, Chunk> chunks = chunks(missing);
        Map<NodeAddress, NodeAddress> edits = new HashMap<>();
        for (NodeAddress address : missing) {
            Chunk chunk = chunks.get(Chunk.addressOf(address));
            Item item = decodeAlone(address, chunk);
            if (item == null) {
                NodeAddress whole = NodeCodec.wholeAddress(chunk.item(address.ordinal()), address.commitNumber());
                edits.put(address, whole);
            } else {
                items.put(address, keep(address, item));
            }
        }
        if (!edits.isEmpty()) {
            Map<NodeAddress, Node> wholes = wholeNodes(Set.copyOf(edits.values()));
            edits.forEach((address, whole) -> {
                ByteReader in = chunks.get(Chunk.addressOf(address)).item(address.ordinal());
                Node node = NodeCodec.decodeEdits(in, wholes.get(whole), address.commitNumber());
                items.put(address, keep(address, new Item.StoredNode(node, whole)));
            });
        }
        return items;
    }

    private Map<NodeAddress, Node> wholeNodes(Set<NodeAddress> addresses) {
        Map<NodeAddress, Node> nodes = new HashMap<>();
        Set<NodeAddress> missing = new LinkedHashSet<>();
        for (NodeAddress address : addresses) {
            if (cache.getIfPresent(address) instanceof Item.StoredNode stored) {
                nodes.put(address, stored.node());
            } else {
                missing.add(address);
            }
        }
        Map<ChunkAddress, Chunk> chunks = chunks(missing);
        for (NodeAddress address : missing) {
            ByteReader in = chunks.get(Chunk.addressOf(address)).item(address.ordinal());
            Node node = NodeCodec.decodeWhole(in, address.commitNumber());
            keep(address, new Item.StoredNode(node, address));
            nodes.put(address, node);
        }
        return nodes;
    }

    /** Decodes an item that needs no other; null for a node that is stored as edits. */
    private static @Nullable Item decodeAlone(NodeAddress address, Chunk chunk) {
        ByteReader in = chunk.item(address.ordinal());
        return switch (chunk.item(address.ordinal()).u8()) {
            case Item.HEADER -> CommitCodec.decodeHeader(in, address.commitNumber());
            case Item.LEAF, Item.INNER ->
                new Item.StoredNode(NodeCodec.decodeWhole(in, address.commitNumber()), address);
            case Item.LEAF_EDITS, Item.INNER_EDITS -> null;
            case Item.CONTENT -> {
                in.u8();
                yield new Item.StoredBytes(in.rest());
            }
            case Item.OPERATIONS -> {
                in.u8();
                yield new Item.Operations(CommitCodec.decodeOperations(in));
            }
            default -> throw new CorruptObjectException("An item has an unknown kind");
        };
    }

    private Map<ChunkAddress, Chunk> chunks(Collection<NodeAddress> items) {
        Map<ChunkAddress, Chunk> chunks = new HashMap<>();
        Set<ChunkAddress> missing = new LinkedHashSet<>();
        for (NodeAddress item : items) {
            ChunkAddress address = Chunk.addressOf(item);
            if (cache.getIfPresent(address) instanceof Chunk chunk) {
                chunks.put(address, chunk);
            } else {
                missing.add(address);
            }
        }
        if (!missing.isEmpty()) {
            List<ChunkAddress> addresses = List.copyOf(missing);
            List<byte[]> fetched = store.fetch(addresses);
            for (int i = 0; i < fetched.size(); i++) {
                Chunk chunk = Chunk.decode(addresses.get(i), fetched.get(i));
                chunks.put(addresses.get(i), chunk);
                cache.put(addresses.get(i), chunk);
            }
        }
        return chunks;
    }

    private Item keep(NodeAddress address, Item item) {
        cache.put(address, item);
        return item;
    }

    private static NodeAddress headerAddress(long number) {
        return new NodeAddress(number, 0);
    }

    private static <T extends Item> T require(Class<T> kind, @Nullable Item item) {
        if (!kind.isInstance(item)) {
            throw new CorruptObjectException("An item is of another kind than what points at it");
        }
        return kind.cast(item);
    }
}
