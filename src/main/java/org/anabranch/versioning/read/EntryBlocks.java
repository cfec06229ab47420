package org.anabranch.versioning.read;

import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.anabranch.dag.CommitGraph;
import org.anabranch.model.ChangedEntry;
import org.anabranch.model.Content;
import org.anabranch.model.Detail;
import org.anabranch.model.Entry;
import org.anabranch.object.Commit;
import org.anabranch.object.IndexEntry;
import org.anabranch.object.ObjectReader;
import org.anabranch.object.StoredContent;
import org.jspecify.annotations.Nullable;

/** Completes blocks of index entries with what is shown of them. */
final class EntryBlocks {

    private final CommitGraph graph;
    private final ObjectReader reader;

    EntryBlocks(CommitGraph graph, ObjectReader reader) {
        this.graph = graph;
        this.reader = reader;
    }

    /** What is read to show a content, in bytes as it is stored; 0 if it is read already or there is none. */
    static long contentBytes(@Nullable IndexEntry entry) {
        return entry != null && entry.content() instanceof StoredContent.Large large ? large.encodedBytes() : 0;
    }

    /** The entries with their contents, read together; or, without them, as they are. */
    List<Entry> entries(List<KeyedEntry> block, Detail detail) {
        return detail == Detail.MINIMAL
                ? block.stream().map(entry -> entry.with(null)).toList()
                : withContents(block, reader);
    }

    /** The entries with their contents, read together. */
    static List<Entry> withContents(List<KeyedEntry> block, ObjectReader reader) {
        List<Content> contents =
                reader.contents(block.stream().map(KeyedEntry::stored).toList());
        return IntStream.range(0, block.size())
                .mapToObj(i -> block.get(i).with(contents.get(i)))
                .toList();
    }

    /** The entries with the commits that last put them: for k different commits O(k log h) reads, in O(log h) bulk reads. */
    List<ChangedEntry> changedEntries(Commit commit, List<KeyedEntry> block, Detail detail) {
        List<Entry> entries = entries(block, detail);
        Map<Long, Commit> lastChanges = graph.ancestors(
                commit,
                block.stream().map(entry -> entry.stored().seq()).distinct().toList());
        return IntStream.range(0, block.size())
                .mapToObj(i -> new ChangedEntry(
                        entries.get(i),
                        lastChanges.get(block.get(i).stored().seq()).header()))
                .toList();
    }
}
