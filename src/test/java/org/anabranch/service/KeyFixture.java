package org.anabranch.service;

import static org.anabranch.testing.Callers.UNRESTRICTED;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.anabranch.dag.CommitGraph;
import org.anabranch.filter.FilterLimits;
import org.anabranch.filter.Filters;
import org.anabranch.index.KeyIndex;
import org.anabranch.model.ContentKey;
import org.anabranch.model.Detail;
import org.anabranch.model.HashSpec;
import org.anabranch.model.KeyHistoryEntry;
import org.anabranch.model.KeyHistoryRequest;
import org.anabranch.model.Page;
import org.anabranch.model.RefSpec;
import org.anabranch.store.memory.MemoryStore;
import org.anabranch.testing.CountingReader;
import org.anabranch.testing.TestCatalog;
import org.anabranch.versioning.read.ChildReader;
import org.anabranch.versioning.read.EntryReader;
import org.anabranch.versioning.read.KeyHistoryReader;
import org.anabranch.versioning.refs.References;

/** The use cases about keys and their past, over a catalog with branch main, whose reads are counted. */
final class KeyFixture {

    static final RefSpec MAIN = new RefSpec(TestCatalog.MAIN, HashSpec.HEAD);

    private final MemoryStore store = new MemoryStore();
    final TestCatalog catalog = new TestCatalog(store);
    final CountingReader reader = new CountingReader(catalog::objects);
    private final CommitGraph graph = new CommitGraph(reader);
    private final KeyIndex index = new KeyIndex(reader);
    private final References references = new References(store, reader, graph, TestCatalog.MAIN);
    private final ChildReader childReader = new ChildReader(graph, index, reader);

    final ReadKeyHistory histories = new ReadKeyHistory(references, new KeyHistoryReader(graph, index, reader));
    final ListLastChanges entries = new ListLastChanges(
            references,
            new EntryReader(graph, index, reader, new Filters(FilterLimits.DEFAULT, InstantSource.system())));
    final ListChildren children = new ListChildren(references, childReader);
    final CountKeys counts = new CountKeys(references, childReader);

    /** All pages of the history of a key from the head of main. */
    List<KeyHistoryEntry> history(ContentKey key, Detail detail, int pageSize) {
        List<KeyHistoryEntry> all = new ArrayList<>();
        String token = "";
        while (true) {
            Page<KeyHistoryEntry> page =
                    histories.read(new KeyHistoryRequest(MAIN, key, detail, pageSize, token), UNRESTRICTED);
            List<KeyHistoryEntry> items = page.toList();
            all.addAll(items);
            Optional<String> next = page.nextToken();
            if (next.isEmpty()) {
                return all;
            }
            if (items.size() != pageSize) {
                throw new AssertionError("A page with a next one has " + items.size() + " items");
            }
            token = next.get();
        }
    }
}
