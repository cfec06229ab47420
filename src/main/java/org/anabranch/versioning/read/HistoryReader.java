package org.anabranch.versioning.read;

import com.google.common.collect.AbstractIterator;
import com.google.common.collect.Iterators;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.SortedMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.anabranch.dag.CommitGraph;
import org.anabranch.filter.Filter;
import org.anabranch.filter.Filters;
import org.anabranch.filter.HistoryView;
import org.anabranch.index.KeyIndex;
import org.anabranch.model.CommitId;
import org.anabranch.model.Content;
import org.anabranch.model.Detail;
import org.anabranch.model.HistoryRequest;
import org.anabranch.model.KeyInterval;
import org.anabranch.model.LogEntry;
import org.anabranch.model.Operation;
import org.anabranch.model.Page;
import org.anabranch.model.RefusedException;
import org.anabranch.model.VisibleKeys;
import org.anabranch.object.Commit;
import org.anabranch.object.CorruptObjectException;
import org.anabranch.object.IndexEntry;
import org.anabranch.object.IndexKey;
import org.anabranch.object.KeyOperation;
import org.anabranch.object.ObjectReader;
import org.anabranch.versioning.refs.HashRole;
import org.anabranch.versioning.refs.References;
import org.anabranch.versioning.refs.ResolvedReference;
import org.jspecify.annotations.Nullable;

/** Reads first-parent lines, youngest commit first, in pages. Safe from many threads. */
public final class HistoryReader {

    /** What a commit did to one key; null for a deletion. */
    private record Change(IndexKey key, @Nullable IndexEntry put) {}

    /** Operations are completed commit by commit, because one can have as many as fit into a request. */
    private static final int BLOCK_WITH_OPERATIONS = 1;

    private final References references;
    private final CommitGraph graph;
    private final KeyIndex index;
    private final ObjectReader reader;
    private final Filters filters;

    public HistoryReader(
            References references, CommitGraph graph, KeyIndex index, ObjectReader reader, Filters filters) {
        this.references = references;
        this.graph = graph;
        this.index = index;
        this.reader = reader;
        this.filters = filters;
    }

    /**
     * The reference at the commit that a page begins with: the one asked for, or that of the page token.
     *
     * @throws RefusedException 400 if the page token is none; 404 if its commit is not there
     */
    public ResolvedReference pinned(ResolvedReference asked, HistoryRequest request) {
        return request.pageToken().isEmpty() ? asked : Pins.at(asked, commit(request.pageToken()), reader);
    }

    /**
     * One page. Costs a read per commit that is walked, in blocks; operations cost O(m log n) node reads for the m of a
     * commit, and are read only where they are shown or the filter names them.
     *
     * @param from by {@link #pinned}
     * @param visible operations on other keys are neither shown, nor does the filter see them
     * @throws RefusedException 404 if a limit with steps is not there; 400 if the filter is not good
     */
    public Page<LogEntry> page(ResolvedReference from, HistoryRequest request, VisibleKeys visible) {
        Filter<HistoryView> filter = filters.history(request.filter());
        CommitId last = request.limit() == null
                ? null
                : references
                        .find(from, request.limit(), HashRole.OLDEST)
                        .map(Commit::id)
                        .orElse(null);
        Commit first = from.commit();
        boolean all = request.detail() == Detail.ALL;
        int limit = request.maxRecords() > 0
                ? Math.min(request.maxRecords(), HistoryRequest.MAX_RECORDS)
                : HistoryRequest.MAX_RECORDS;
        Function<Filter<HistoryView>, Iterator<Commit>> walk = by -> Iterators.filter(
                line(first, last),
                commit -> by.test(new HistoryView(commit.header(), all ? () -> viewed(commit, visible) : List::of)));
        Iterator<Commit> matches =
                request.filter().isEmpty() ? line(first, last) : BlockPage.evaluated(walk, filter, filters, limit);
        return new BlockPage<>(
                matches,
                limit,
                all ? BLOCK_WITH_OPERATIONS : BlockPage.BLOCK,
                commit -> 0,
                block -> block.stream()
                        .map(commit -> new LogEntry(commit.header(), all ? operations(commit, visible) : null))
                        .toList(),
                next -> next.id().toString());
    }

    private static CommitId commit(String pageToken) {
        try {
            return CommitId.parse(pageToken);
        } catch (IllegalArgumentException e) {
            throw RefusedException.badRequest(
                    "page-token '" + pageToken + "' is not valid: send the token of the page before, as it is");
        }
    }

    /** @param last ends the walk; null for none */
    private Iterator<Commit> line(Commit first, @Nullable CommitId last) {
        Iterator<Commit> line = graph.line(first);
        return new AbstractIterator<>() {

            private boolean ended;

            @Override
            protected @Nullable Commit computeNext() {
                if (ended || !line.hasNext()) {
                    return endOfData();
                }
                Commit commit = line.next();
                ended = commit.id().equals(last);
                return commit;
            }
        };
    }

    /**
     * Deletions, then puts, each in key order, as far as they may be seen. Where something came in the place of what may be seen and
     * may not be seen itself, that was deleted.
     */
    private List<Change> changes(Commit commit, VisibleKeys visible) {
        List<KeyOperation> operations = reader.operations(commit).stream()
                .filter(operation -> visible.showsSome(operation.key().toContentKey()))
                .toList();
        SortedMap<IndexKey, IndexEntry> entries = index.findAll(
                commit.tree(),
                operations.stream()
                        .filter(operation -> operation.kind() == KeyOperation.Kind.PUT)
                        .map(KeyOperation::key)
                        .toList());
        List<IndexKey> deleted = new ArrayList<>();
        List<Change> puts = new ArrayList<>();
        for (KeyOperation operation : operations) {
            switch (operation.kind()) {
                case DELETE -> deleted.add(operation.key());
                case PUT -> {
                    IndexEntry put = entries.get(operation.key());
                    if (put == null) {
                        throw new CorruptObjectException("A commit does not hold a key that it put");
                    }
                    if (VisibleEntries.shows(visible, put)) {
                        puts.add(new Change(operation.key(), put));
                    } else {
                        deleted.add(operation.key());
                    }
                }
            }
        }
        return Stream.concat(wereVisible(commit, deleted, visible).map(key -> new Change(key, null)), puts.stream())
                .toList();
    }

    /** Those of some keys that could be seen before a commit. What they held is looked up only where that matters. */
    private Stream<IndexKey> wereVisible(Commit commit, List<IndexKey> keys, VisibleKeys visible) {
        Predicate<IndexKey> always = key -> visible.showsAll(KeyInterval.only(key.toContentKey()));
        List<IndexKey> byType = keys.stream().filter(always.negate()).toList();
        if (byType.isEmpty()) {
            return keys.stream();
        }
        Commit before = reader.commit(commit.parents().get(0).number());
        SortedMap<IndexKey, IndexEntry> held = index.findAll(before.tree(), byType);
        return keys.stream().filter(key -> {
            IndexEntry entry = held.get(key);
            return entry == null ? always.test(key) : VisibleEntries.shows(visible, entry);
        });
    }

    private List<HistoryView.Operation> viewed(Commit commit, VisibleKeys visible) {
        return changes(commit, visible).stream()
                .<HistoryView.Operation>map(change -> change.put() == null
                        ? new HistoryView.Operation.Delete(change.key().toContentKey())
                        : new HistoryView.Operation.Put(
                                change.key().toContentKey(),
                                change.put().type(),
                                change.put().contentId()))
                .toList();
    }

    private @Nullable Iterator<Operation> operations(Commit commit, VisibleKeys visible) {
        List<Change> changes = changes(commit, visible);
        return changes.isEmpty()
                ? null
                : new BlockPage<>(
                        changes.iterator(),
                        0,
                        BlockPage.BLOCK,
                        change -> EntryBlocks.contentBytes(change.put()),
                        this::completed,
                        next -> "");
    }

    private List<Operation> completed(List<Change> block) {
        Iterator<Content> contents = reader.contents(block.stream()
                        .flatMap(change -> Stream.ofNullable(change.put()))
                        .toList())
                .iterator();
        return block.stream()
                .<Operation>map(change -> change.put() == null
                        ? new Operation.Delete(change.key().toContentKey())
                        : new Operation.Put(change.key().toContentKey(), contents.next()))
                .toList();
    }
}
