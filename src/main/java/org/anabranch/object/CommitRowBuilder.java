package org.anabranch.object;

import java.util.List;
import java.util.SortedMap;
import org.anabranch.model.CommitMeta;
import org.anabranch.model.Content;
import org.anabranch.store.CommitRow;
import org.anabranch.store.Head;
import org.jspecify.annotations.Nullable;

/**
 * Builds the row of one new commit: contents and nodes first, the header last. Pure: nothing is written to a store.
 */
public final class CommitRowBuilder implements NodeSink {

    /** A commit in memory, encoded and decoded. */
    public record Built(CommitRow row, Commit commit) {}

    /**
     * @param number of the row, taken from the store
     * @param reader for the nodes that new ones are stored as edits of
     */
    public CommitRowBuilder(long number, ObjectReader reader) {}

    /** Encodes a content, with its id, for an entry: small ones for the leaf, large ones as an item of this row. */
    public StoredContent addContent(Content content) {
        throw new UnsupportedOperationException();
    }

    @Override
    public NodeAddress add(Node node, @Nullable NodeAddress replaced) {
        throw new UnsupportedOperationException();
    }

    /**
     * Ends the row.
     *
     * @param operations in key order: the entry that was put, or null for a deleted key; the source of both the stored
     *     operations and the commit's hash
     * @param lastMerge of the first parent's line; replaced by this row's number if there are more parents
     */
    public Built build(
            List<Head> parents,
            long seq,
            long jump,
            long jumpSeq,
            long jumpFloor,
            long generation,
            long lastMerge,
            Tree tree,
            long createdAtMicros,
            CommitMeta meta,
            SortedMap<IndexKey, @Nullable IndexEntry> operations) {
        throw new UnsupportedOperationException();
    }
}
