package org.anabranch.versioning.read;

import java.util.Collection;
import java.util.List;
import java.util.stream.IntStream;
import org.anabranch.index.KeyIndex;
import org.anabranch.model.Content;
import org.anabranch.model.ContentKey;
import org.anabranch.model.Entry;
import org.anabranch.model.Page;
import org.anabranch.object.Commit;
import org.anabranch.object.IndexEntry;
import org.anabranch.object.IndexKey;
import org.anabranch.object.ObjectReader;

/** Reads what keys hold. Safe from many threads. */
public final class ContentReader {

    private final KeyIndex index;
    private final ObjectReader reader;

    public ContentReader(KeyIndex index, ObjectReader reader) {
        this.index = index;
        this.reader = reader;
    }

    /**
     * What a commit holds under some keys, in key order, contents included: O(m log n) node reads for m keys, in one bulk read per
     * level. Large contents are read in blocks as the page is walked.
     *
     * @param keys duplicates count once; those that hold nothing are absent from the page, which ends the listing
     */
    public Page<Entry> read(Commit commit, Collection<ContentKey> keys) {
        List<IndexKey> wanted = keys.stream().distinct().map(IndexKey::of).toList();
        return new BlockPage<>(
                index.findAll(commit.tree(), wanted).values().iterator(),
                0,
                BlockPage.BLOCK,
                EntryBlocks::contentBytes,
                this::entries,
                next -> "");
    }

    private List<Entry> entries(List<IndexEntry> block) {
        List<Content> contents = reader.contents(block);
        return IntStream.range(0, block.size())
                .mapToObj(i -> EntryBlocks.entry(block.get(i), contents.get(i)))
                .toList();
    }
}
