package org.anabranch.object;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import org.anabranch.model.CommitId;
import org.anabranch.model.CommitMeta;
import org.anabranch.model.Content;
import org.anabranch.store.ChunkAddress;
import org.anabranch.store.CommitRow;
import org.anabranch.store.Head;
import org.jspecify.annotations.Nullable;

/**
 * Builds the row of one new commit: contents and nodes first, the header last. Pure: nothing is written to a store. For one
 * thread and one commit.
 */
public final class CommitRowBuilder implements NodeSink {

    /** Longer operations leave the header for items of their own, each about a chunk long at most. */
    private static final int MAX_HEADER_OPERATION_BYTES = 4 * 1024;

    private static final int OPERATIONS_PER_ITEM = 512;

    /** A commit in memory, encoded and decoded. */
    public static final class Built {

        private final CommitRow row;
        private final Item.Header header;
        private final Map<NodeAddress, Item> items;
        private final List<NodeAddress> replaced;

        private Built(CommitRow row, Item.Header header, Map<NodeAddress, Item> items, List<NodeAddress> replaced) {
            this.row = row;
            this.header = header;
            this.items = items;
            this.replaced = replaced;
        }

        public CommitRow row() {
            return row;
        }

        public Commit commit() {
            return header.commit();
        }

        Item.Header header() {
            return header;
        }

        Map<NodeAddress, Item> items() {
            return items;
        }

        /** Nodes of earlier commits that whoever builds on this one has no more use for. */
        List<NodeAddress> replaced() {
            return replaced;
        }
    }

    private final long number;
    private final ObjectReader reader;
    private final Map<NodeAddress, Item> items = new HashMap<>();
    private final List<NodeAddress> replacedNodes = new ArrayList<>();
    private final List<List<byte[]>> chunks = new ArrayList<>();
    private int lastChunkBytes;

    /**
     * @param number of the row, taken from the store
     * @param reader for the nodes that new ones are stored as edits of
     */
    public CommitRowBuilder(long number, ObjectReader reader) {
        this.number = number;
        this.reader = reader;
        openChunk();
        place(new byte[0]); // the header's place
    }

    /** Encodes a content, without its id, for an entry: small ones for the leaf, large ones as an item of this row. */
    public StoredContent addContent(Content content) {
        byte[] encoded = ContentCodec.encode(content);
        if (encoded.length <= StoredContent.MAX_INLINE_BYTES) {
            return new StoredContent.Inline(encoded);
        }
        NodeAddress address =
                place(new ByteWriter().u8(Item.CONTENT).raw(encoded).toBytes());
        items.put(address, new Item.StoredBytes(encoded));
        return new StoredContent.Large(address, encoded.length, ContentDigest.of(encoded));
    }

    @Override
    public NodeAddress add(Node node, @Nullable NodeAddress replaced) {
        if (replaced == null) {
            return addWhole(node, NodeCodec.encodeWhole(node, number));
        }
        NodeAddress whole = reader.wholeNodeBehind(replaced);
        byte[] edits = NodeCodec.encodeEdits(node, reader.node(whole), whole, number);
        // The whole node is mostly so much longer that its exact size does not matter.
        if (2 * edits.length >= NodeCodec.leastBytes(node)) {
            byte[] encoded = NodeCodec.encodeWhole(node, number);
            if (2 * edits.length >= encoded.length) {
                replacedNodes.add(replaced);
                replacedNodes.add(whole);
                return addWhole(node, encoded);
            }
        }
        if (!replaced.equals(whole)) {
            replacedNodes.add(replaced);
        }
        NodeAddress address = place(edits);
        items.put(address, new Item.StoredNode(node, whole));
        return address;
    }

    private NodeAddress addWhole(Node node, byte[] encoded) {
        NodeAddress address = place(encoded);
        items.put(address, new Item.StoredNode(node, address));
        return address;
    }

    /**
     * Ends the row.
     *
     * @param position that follows from the parents
     * @param operations that made the tree of the first parent's: per key the entry that was put, or empty for a deleted key; the
     *     source of both the stored operations and the commit's hash
     */
    public Built build(
            List<Commit> parents,
            GraphPosition position,
            Tree tree,
            long createdAtMicros,
            CommitMeta meta,
            SortedMap<IndexKey, Optional<IndexEntry>> operations) {
        List<Head> heads = parents.stream().map(Commit::head).toList();
        CommitId id = CommitCodec.hash(
                heads.stream().map(Head::id).toList(), position.seq(), createdAtMicros, meta, operations);
        Commit commit = new Commit(number, id, heads, position, tree, createdAtMicros, meta);
        Item.Header header = header(commit, operations);
        chunks.get(0).set(0, CommitCodec.encodeHeader(header));
        List<byte[]> framed = new ArrayList<>();
        for (int i = 0; i < chunks.size(); i++) {
            framed.add(Chunk.encode(new ChunkAddress(number, i), chunks.get(i)));
        }
        List<Long> parentNumbers = heads.stream().map(Head::number).toList();
        return new Built(
                new CommitRow(number, id, parentNumbers, framed),
                header,
                Map.copyOf(items),
                List.copyOf(replacedNodes));
    }

    private Item.Header header(Commit commit, SortedMap<IndexKey, Optional<IndexEntry>> operations) {
        List<KeyOperation> list = new ArrayList<>(operations.size());
        operations.forEach((key, entry) ->
                list.add(new KeyOperation(entry.isEmpty() ? KeyOperation.Kind.DELETE : KeyOperation.Kind.PUT, key)));
        if (CommitCodec.encodeOperations(list).length <= MAX_HEADER_OPERATION_BYTES) {
            return new Item.Header(commit, List.copyOf(list), List.of());
        }
        List<Integer> ordinals = new ArrayList<>();
        for (int from = 0; from < list.size(); from += OPERATIONS_PER_ITEM) {
            List<KeyOperation> part =
                    List.copyOf(list.subList(from, Math.min(list.size(), from + OPERATIONS_PER_ITEM)));
            NodeAddress address = place(new ByteWriter()
                    .u8(Item.OPERATIONS)
                    .raw(CommitCodec.encodeOperations(part))
                    .toBytes());
            items.put(address, new Item.Operations(part));
            ordinals.add(address.ordinal());
        }
        return new Item.Header(commit, null, List.copyOf(ordinals));
    }

    /** Appends an item to the last chunk that has room, and says where it lies. */
    private NodeAddress place(byte[] item) {
        List<byte[]> chunk = chunks.get(chunks.size() - 1);
        boolean full = lastChunkBytes + item.length > Chunk.TARGET_BYTES || chunk.size() == Chunk.MAX_ITEMS;
        if (full && !chunk.isEmpty()) {
            chunk = openChunk();
        }
        chunk.add(item);
        lastChunkBytes += item.length;
        return Chunk.itemAddress(number, chunks.size() - 1, chunk.size() - 1);
    }

    private List<byte[]> openChunk() {
        List<byte[]> chunk = new ArrayList<>();
        chunks.add(chunk);
        lastChunkBytes = 0;
        return chunk;
    }
}
