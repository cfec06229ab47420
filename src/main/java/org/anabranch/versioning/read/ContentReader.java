package org.anabranch.versioning.read;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.anabranch.index.KeyIndex;
import org.anabranch.model.Content;
import org.anabranch.model.ContentKey;
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
     * The contents of a commit under some keys: O(m log n) node reads for m keys, in one bulk read per level and one for large
     * contents.
     *
     * @param keys duplicates count once
     * @return keys that hold nothing are absent
     */
    public SortedMap<ContentKey, Content> read(Commit commit, Collection<ContentKey> keys) {
        List<IndexKey> wanted = keys.stream().distinct().map(IndexKey::of).toList();
        List<IndexEntry> found =
                new ArrayList<>(index.findAll(commit.tree(), wanted).values());
        List<Content> read = reader.contents(found);
        SortedMap<ContentKey, Content> contents = new TreeMap<>();
        for (int i = 0; i < found.size(); i++) {
            contents.put(found.get(i).key().toContentKey(), read.get(i));
        }
        return contents;
    }
}
