package org.anabranch.versioning.read;

import com.google.common.collect.AbstractIterator;
import com.google.common.collect.Iterators;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.SortedMap;
import java.util.function.Function;
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
import org.anabranch.model.LogEntry;
import org.anabranch.model.Operation;
import org.anabranch.model.Page;
import org.anabranch.model.RefusedException;
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
     * One page. Costs a read per commit that is walked, in blocks; operations cost O(m log n) node reads for the m puts of a
     * commit, and are read only where they are shown or the filter names them.
     *
     * @param from where the first page begins
     * @throws RefusedException 404 if the commit of the page token or a limit with steps is not there; 400 if the filter or the
     *     page token is not good
     */
    public Page<LogEntry> page(ResolvedReference from, HistoryRequest request) {
        Filter<HistoryView> filter = filters.history(request.filter());
        CommitId last = request.limit() == null
                ? null
                : references
                        .find(from, request.limit(), HashRole.OLDEST)
                        .map(Commit::id)
                        .orElse(null);
        Commit first = request.pageToken().isEmpty() ? from.commit() : commit(request.pageToken());
        boolean all = request.detail() == Detail.ALL;
        int limit = request.maxRecords() > 0
                ? Math.min(request.maxRecords(), HistoryRequest.MAX_RECORDS)
                : HistoryRequest.MAX_RECORDS;
        Function<Filter<HistoryView>, Iterator<Commit>> walk = by -> Iterators.filter(
                line(first, last),
                commit -> by.test(new HistoryView(commit.header(), all ? () -> viewed(commit) : List::of)));
        Iterator<Commit> matches =
                request.filter().isEmpty() ? line(first, last) : BlockPage.evaluated(walk, filter, filters, limit);
        return new BlockPage<>(
                matches,
                limit,
                all ? BLOCK_WITH_OPERATIONS : BlockPage.BLOCK,
                commit -> 0,
                block -> block.stream()
                        .map(commit -> new LogEntry(commit.header(), all ? operations(commit) : null))
                        .toList(),
                next -> next.id().toString());
    }

    private Commit commit(String pageToken) {
        CommitId id;
        try {
            id = CommitId.parse(pageToken);
        } catch (IllegalArgumentException e) {
            throw RefusedException.badRequest(
                    "page-token '" + pageToken + "' is not valid: send the token of the page before, as it is");
        }
        return reader.findCommit(id)
                .orElseThrow(() -> RefusedException.referenceNotFound("Commit '" + id + "' not found"));
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

    /** Deletions, then puts, each in key order. */
    private List<Change> changes(Commit commit) {
        List<KeyOperation> operations = reader.operations(commit);
        SortedMap<IndexKey, IndexEntry> entries = index.findAll(
                commit.tree(),
                operations.stream()
                        .filter(operation -> operation.kind() == KeyOperation.Kind.PUT)
                        .map(KeyOperation::key)
                        .toList());
        List<Change> deletions = new ArrayList<>();
        List<Change> puts = new ArrayList<>();
        for (KeyOperation operation : operations) {
            switch (operation.kind()) {
                case DELETE -> deletions.add(new Change(operation.key(), null));
                case PUT -> {
                    IndexEntry put = entries.get(operation.key());
                    if (put == null) {
                        throw new CorruptObjectException("A commit does not hold a key that it put");
                    }
                    puts.add(new Change(operation.key(), put));
                }
            }
        }
        return Stream.concat(deletions.stream(), puts.stream()).toList();
    }

    private List<HistoryView.Operation> viewed(Commit commit) {
        return changes(commit).stream()
                .<HistoryView.Operation>map(change -> change.put() == null
                        ? new HistoryView.Operation.Delete(change.key().toContentKey())
                        : new HistoryView.Operation.Put(
                                change.key().toContentKey(),
                                change.put().type(),
                                change.put().contentId()))
                .toList();
    }

    private @Nullable Iterator<Operation> operations(Commit commit) {
        List<Change> changes = changes(commit);
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
