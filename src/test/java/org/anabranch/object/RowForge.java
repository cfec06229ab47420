package org.anabranch.object;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.anabranch.store.ChunkAddress;
import org.anabranch.store.CommitRow;

/** Writes rows of one chunk anew with something in them changed: whole, with right checksums, and wrong in that one thing. */
public final class RowForge {

    private RowForge() {}

    /** With another header. */
    public static CommitRow withHeader(CommitRow row, UnaryOperator<Commit> change) {
        return withItem(row, 0, in -> {
            Item.Header header = CommitCodec.decodeHeader(in, row.number());
            return CommitCodec.encodeHeader(
                    new Item.Header(change.apply(header.commit()), header.operations(), header.operationItems()));
        });
    }

    /** With other operations, which lie in the header. */
    public static CommitRow withOperations(CommitRow row, UnaryOperator<List<KeyOperation>> change) {
        return withItem(row, 0, in -> {
            Item.Header header = CommitCodec.decodeHeader(in, row.number());
            return CommitCodec.encodeHeader(
                    new Item.Header(header.commit(), change.apply(header.operations()), header.operationItems()));
        });
    }

    /** With another node, stored whole. */
    public static CommitRow withNode(CommitRow row, NodeAddress address, Node node) {
        return withItem(row, address.ordinal(), in -> NodeCodec.encodeWhole(node, row.number()));
    }

    /** With another last byte of a large content. */
    public static CommitRow withContent(CommitRow row, NodeAddress address) {
        return withItem(row, address.ordinal(), in -> {
            byte[] item = in.rest();
            item[item.length - 1] ^= 1;
            return item;
        });
    }

    private static CommitRow withItem(CommitRow row, int ordinal, Function<ByteReader, byte[]> change) {
        if (row.chunks().size() != 1) {
            throw new IllegalArgumentException("Only rows of one chunk are forged");
        }
        ChunkAddress address = new ChunkAddress(row.number(), 0);
        Chunk chunk = Chunk.decode(address, row.chunks().get(0));
        List<byte[]> items = new ArrayList<>();
        for (int i = 0; i < chunk.items(); i++) {
            ByteReader in = chunk.item(i);
            items.add(i == ordinal ? change.apply(in) : in.rest());
        }
        return new CommitRow(row.number(), row.id(), row.parents(), List.of(Chunk.encode(address, items)));
    }
}
