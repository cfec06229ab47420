package org.anabranch.service;

import static org.anabranch.testing.Callers.UNRESTRICTED;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import org.anabranch.dag.CommitGraph;
import org.anabranch.filter.FilterLimits;
import org.anabranch.filter.Filters;
import org.anabranch.index.KeyIndex;
import org.anabranch.model.CommitMeta;
import org.anabranch.model.Content;
import org.anabranch.model.ContentId;
import org.anabranch.model.ContentKey;
import org.anabranch.model.Detail;
import org.anabranch.model.EntriesRequest;
import org.anabranch.model.Entry;
import org.anabranch.model.HashSpec;
import org.anabranch.model.IcebergTable;
import org.anabranch.model.KeySelection;
import org.anabranch.model.Namespace;
import org.anabranch.model.RefSpec;
import org.anabranch.model.ReferenceKind;
import org.anabranch.object.Commit;
import org.anabranch.object.CommitRowBuilder;
import org.anabranch.store.Change;
import org.anabranch.store.ReferenceRow;
import org.anabranch.store.WriteOutcome;
import org.anabranch.testing.CountingReader;
import org.anabranch.testing.RowCommits;
import org.anabranch.versioning.read.ContentReader;
import org.anabranch.versioning.read.DiffReader;
import org.anabranch.versioning.read.EntryReader;
import org.anabranch.versioning.read.HistoryReader;
import org.anabranch.versioning.refs.References;

/** The read use cases over commits in memory, each commit known to the test as a sorted map. */
final class ReadFixture {

    static final String BRANCH = "work";

    final RowCommits rows = new RowCommits();
    final CountingReader reader = new CountingReader(rows::objects);
    private final CommitGraph graph = new CommitGraph(reader);
    private final KeyIndex index = new KeyIndex(reader);
    private final Filters filters = new Filters(FilterLimits.DEFAULT, InstantSource.system());
    private final References references = new References(rows.store(), reader, graph, BRANCH);

    final ReadContents contents = new ReadContents(references, new ContentReader(index, reader));
    final ListEntries entries = new ListEntries(references, new EntryReader(graph, index, reader, filters));
    final DiffReferences diffs = new DiffReferences(references, new DiffReader(index, reader, filters));
    final ReadHistory histories =
            new ReadHistory(references, new HistoryReader(references, graph, index, reader, filters));

    /** A commit that changes keys: to a content, or to nothing. */
    Commit commit(Commit parent, Map<ContentKey, Optional<Content>> changes) {
        return commit(parent, changes, RowCommits.meta("change " + changes.size()));
    }

    Commit commit(Commit parent, Map<ContentKey, Optional<Content>> changes, CommitMeta meta) {
        CommitRowBuilder.Built built = rows.build(rows.objects(), rows.store().numbers(1), parent, changes, meta);
        rows.store(built, parent);
        return built.commit();
    }

    /** A commit that holds just these. */
    Commit commitOf(Map<ContentKey, Content> contents) {
        Map<ContentKey, Optional<Content>> changes = new TreeMap<>();
        contents.forEach((key, content) -> changes.put(key, Optional.of(content)));
        return commit(Commit.NO_ANCESTOR, changes);
    }

    /** Creates or moves a branch. */
    void branch(String name, Commit head) {
        ReferenceRow before = rows.store().reference(name).orElse(null);
        ReferenceRow after = before == null
                ? new ReferenceRow(
                        name, ReferenceKind.BRANCH, head.head(), rows.store().numbers(1), 1, 1, List.of())
                : before.movedTo(head.head(), List.of());
        WriteOutcome outcome = rows.store()
                .write(
                        List.of(),
                        head.isNoAncestor() ? List.of() : List.of(head.number()),
                        new Change.OfReference(name, before, after),
                        List.of());
        if (!(outcome instanceof WriteOutcome.Written)) {
            throw new AssertionError("The branch did not move: " + outcome);
        }
    }

    static RefSpec at(Commit commit) {
        return new RefSpec(null, new HashSpec(commit.id().toString(), List.of()));
    }

    static RefSpec head(String branch) {
        return new RefSpec(branch, HashSpec.HEAD);
    }

    /** All pages of a listing of that page size. */
    List<Entry> pages(RefSpec reference, KeySelection keys, Detail detail, String filter, int pageSize) {
        List<Entry> all = new ArrayList<>();
        String token = "";
        while (true) {
            var page = entries.list(new EntriesRequest(reference, keys, detail, filter, pageSize, token), UNRESTRICTED)
                    .entries();
            List<Entry> items = page.toList();
            all.addAll(items);
            Optional<String> next = page.nextToken();
            if (next.isEmpty()) {
                return all;
            }
            if (pageSize > 0 && items.size() != pageSize) {
                throw new AssertionError("A page with a next one has " + items.size() + " items");
            }
            token = next.get();
        }
    }

    static Content table(int version) {
        return new IcebergTable(new ContentId(new UUID(1, version)), "s3://lake/t/" + version, version, 1, 1, 1);
    }

    static Content namespace(ContentKey key) {
        return new Namespace(new ContentId(new UUID(2, key.hashCode())), key.elements(), Map.of());
    }

    /** Some key of one to four elements of a small alphabet, so that keys often share prefixes. */
    static ContentKey key(Random random) {
        List<String> elements = new ArrayList<>();
        for (int size = 1 + random.nextInt(4); size > 0; size--) {
            elements.add(List.of("a", "b", "a.b", "ab", "Ä", "a b", "\ud83d\ude00", "\uff5e")
                    .get(random.nextInt(8)));
        }
        return new ContentKey(elements);
    }

    static SortedMap<ContentKey, Content> contents(Random random, int count) {
        SortedMap<ContentKey, Content> contents = new TreeMap<>();
        for (int i = 0; i < count; i++) {
            ContentKey key = key(random);
            contents.put(key, random.nextInt(3) == 0 ? namespace(key) : table(random.nextInt(1_000_000)));
        }
        return contents;
    }
}
