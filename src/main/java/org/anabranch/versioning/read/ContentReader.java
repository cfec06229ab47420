package org.anabranch.versioning.read;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.anabranch.index.KeyIndex;
import org.anabranch.model.ContentKey;
import org.anabranch.model.ContentType;
import org.anabranch.model.Entry;
import org.anabranch.model.Page;
import org.anabranch.model.VisibleKeys;
import org.anabranch.object.Commit;
import org.anabranch.object.IndexKey;
import org.anabranch.object.ObjectReader;

/** Reads what keys hold. Safe from many threads. */
public final class ContentReader {

    private final VisibleEntries entries;
    private final ObjectReader reader;

    public ContentReader(KeyIndex index, ObjectReader reader) {
        this.entries = new VisibleEntries(index);
        this.reader = reader;
    }

    /**
     * What a commit holds under some keys, in key order, contents included: O(m log n) node reads for m keys, in one bulk read per
     * level. Large contents are read in blocks as the page is walked.
     *
     * @param keys duplicates count once; those that hold nothing are absent from the page, which ends the listing
     * @param visible what is not among it is absent too
     */
    public Page<Entry> read(Commit commit, Collection<ContentKey> keys, VisibleKeys visible) {
        return new BlockPage<>(
                entries.find(commit.tree(), indexed(keys), visible),
                0,
                BlockPage.BLOCK,
                entry -> EntryBlocks.contentBytes(entry.stored()),
                block -> EntryBlocks.withContents(block, reader),
                next -> "");
    }

    /**
     * The types of what a commit holds under some keys, as far as that may be seen: node reads as {@link #read}, no contents.
     *
     * @return those keys that hold something
     */
    public Map<ContentKey, ContentType> types(Commit commit, Collection<ContentKey> keys, VisibleKeys visible) {
        Map<ContentKey, ContentType> types = new TreeMap<>();
        entries.find(commit.tree(), indexed(keys), visible)
                .forEachRemaining(entry -> types.put(entry.key(), entry.stored().type()));
        return types;
    }

    private static List<IndexKey> indexed(Collection<ContentKey> keys) {
        return keys.stream().distinct().map(IndexKey::of).toList();
    }
}
