package org.anabranch.versioning.refs;

import com.google.common.collect.AbstractIterator;
import com.google.common.collect.Iterators;
import com.google.common.collect.PeekingIterator;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.anabranch.dag.CommitGraph;
import org.anabranch.model.Detail;
import org.anabranch.model.ListedReference;
import org.anabranch.model.Page;
import org.anabranch.model.ReferenceKind;
import org.anabranch.model.ReferenceMetadata;
import org.anabranch.model.RefusedException;
import org.anabranch.object.Commit;
import org.anabranch.object.ObjectReader;
import org.anabranch.store.Head;
import org.anabranch.store.ReferenceRow;
import org.anabranch.store.Store;
import org.jspecify.annotations.Nullable;

/**
 * Shows branches and tags, one or in pages, with what is known of them. Safe from many threads.
 *
 * <p>Metadata costs, per block of references, one bulk read of heads and O(log h) bulk reads for the forks from the default
 * branch.
 */
public final class ReferenceListing {

    private static final int MAX_BLOCK = 256;

    private final Store store;
    private final ObjectReader reader;
    private final CommitGraph graph;
    private final String defaultBranch;

    public ReferenceListing(Store store, ObjectReader reader, CommitGraph graph, String defaultBranch) {
        this.store = store;
        this.reader = reader;
        this.graph = graph;
        this.defaultBranch = defaultBranch;
    }

    /**
     * One branch or tag as a listing shows it.
     *
     * @param logged names of references whose commits may be told of: others have no metadata, nor are they compared with
     */
    public ListedReference describe(ReferenceRow row, Detail detail, Predicate<String> logged) {
        return describe(List.of(row), detail, logged).get(0);
    }

    /**
     * Lists all branches by name, then all tags by name, names ordered by their bytes. References that come or go between two
     * pages are seen or not; no other one is missed or seen twice.
     *
     * @param visible names of which something may be told: others are not shown, nor does the filter see them
     * @param logged names of references whose commits may be told of: others have no metadata, nor are they compared with
     * @param filter what is shown, null for all. With a filter the page is evaluated here, before its first item, since it can
     *     refuse any reference; without one it is read in blocks as it is walked
     * @param maxRecords of the page, after filtering; no limit if 0 or less
     * @param pageToken of the page before; empty for the first page
     * @throws RefusedException 400 if the page token is none
     */
    public Page<ListedReference> page(
            Detail detail,
            Predicate<String> visible,
            Predicate<String> logged,
            @Nullable Predicate<ListedReference> filter,
            int maxRecords,
            String pageToken) {
        int limit = maxRecords > 0 ? maxRecords : Integer.MAX_VALUE;
        int block = (int) Math.min(MAX_BLOCK, 1L + limit);
        Iterator<ReferenceRow> rows = pageToken.isEmpty()
                ? Iterators.concat(from(ReferenceKind.BRANCH, "", block), from(ReferenceKind.TAG, "", block))
                : from(ReferenceToken.decode(pageToken), block);
        Iterator<ReferenceRow> shown = Iterators.filter(rows, row -> visible.test(row.name()));
        Iterator<ListedReference> all = Iterators.concat(Iterators.transform(
                Iterators.partition(shown, block),
                some -> describe(some, detail, logged).iterator()));
        if (filter != null) {
            int oneMore = limit == Integer.MAX_VALUE ? limit : limit + 1;
            List<ListedReference> matches = new ArrayList<>();
            Iterators.addAll(matches, Iterators.limit(Iterators.filter(all, filter::test), oneMore));
            return new ReferencePage(matches.iterator(), limit);
        }
        return new ReferencePage(all, limit);
    }

    private Iterator<ReferenceRow> from(ReferenceToken token, int block) {
        // The store lists what comes after a name; the token's own reference is read by itself, and may be gone.
        Iterator<ReferenceRow> first = store.reference(token.name()).stream()
                .filter(row -> row.kind() == token.kind())
                .iterator();
        Iterator<ReferenceRow> rest = Iterators.concat(first, from(token.kind(), token.name(), block));
        return token.kind() == ReferenceKind.TAG ? rest : Iterators.concat(rest, from(ReferenceKind.TAG, "", block));
    }

    private Iterator<ReferenceRow> from(ReferenceKind kind, String afterName, int block) {
        return Iterators.concat(new AbstractIterator<Iterator<ReferenceRow>>() {

            private String after = afterName;
            private int size = block;
            private boolean ended;

            @Override
            protected @Nullable Iterator<ReferenceRow> computeNext() {
                if (ended) {
                    return endOfData();
                }
                List<ReferenceRow> rows = store.references(kind, after, size);
                ended = rows.size() < size;
                // A filter may pass over many.
                size = Math.min(2 * size, MAX_BLOCK);
                if (!rows.isEmpty()) {
                    after = rows.get(rows.size() - 1).name();
                }
                return rows.iterator();
            }
        });
    }

    private List<ListedReference> describe(List<ReferenceRow> rows, Detail detail, Predicate<String> logged) {
        if (detail == Detail.MINIMAL) {
            return rows.stream()
                    .map(row -> new ListedReference(row.reference(), null))
                    .toList();
        }
        Head defaultHead =
                store.reference(defaultBranch).map(ReferenceRow::head).orElse(Head.NO_ANCESTOR);
        List<Long> numbers = new ArrayList<>(List.of(defaultHead.number()));
        rows.forEach(row -> numbers.add(row.head().number()));
        List<Commit> heads = reader.commits(numbers);
        Commit defaultCommit = heads.get(0);
        boolean compared = logged.test(defaultBranch);
        List<Boolean> told = rows.stream().map(row -> logged.test(row.name())).toList();
        List<Integer> forked = IntStream.range(0, rows.size())
                .filter(i -> compared && told.get(i) && isForked(rows.get(i), heads.get(i + 1)))
                .boxed()
                .toList();
        Iterator<Commit> forks = graph.forkPoints(
                        forked.stream().map(i -> heads.get(i + 1)).toList(), defaultCommit)
                .iterator();
        List<ListedReference> described = new ArrayList<>();
        for (int i = 0; i < rows.size(); i++) {
            ReferenceRow row = rows.get(i);
            Commit head = heads.get(i + 1);
            ReferenceMetadata metadata = head.isNoAncestor() || !told.get(i)
                    ? null
                    : compared && isForked(row, head)
                            ? forked(head, defaultCommit, forks.next())
                            : new ReferenceMetadata(null, null, head.header(), null, head.seq());
            described.add(new ListedReference(row.reference(), metadata));
        }
        return described;
    }

    /** Whether a reference is told by how far it is from the default branch. */
    private boolean isForked(ReferenceRow row, Commit head) {
        return row.kind() == ReferenceKind.BRANCH && !row.name().equals(defaultBranch) && !head.isNoAncestor();
    }

    private static ReferenceMetadata forked(Commit head, Commit defaultHead, Commit fork) {
        return new ReferenceMetadata(
                Math.toIntExact(head.seq() - fork.seq()),
                Math.toIntExact(defaultHead.seq() - fork.seq()),
                head.header(),
                fork.id(),
                head.seq());
    }

    private static final class ReferencePage implements Page<ListedReference> {

        private final PeekingIterator<ListedReference> all;
        private int left;

        ReferencePage(Iterator<ListedReference> all, int limit) {
            this.all = Iterators.peekingIterator(all);
            this.left = limit;
        }

        @Override
        public boolean hasNext() {
            return left > 0 && all.hasNext();
        }

        @Override
        public ListedReference next() {
            if (!hasNext()) {
                throw new NoSuchElementException();
            }
            left--;
            return all.next();
        }

        @Override
        public Optional<String> nextToken() {
            if (hasNext()) {
                throw new IllegalStateException("The page was not walked to its end");
            }
            return all.hasNext()
                    ? Optional.of(new ReferenceToken(
                                    all.peek().reference().kind(),
                                    all.peek().reference().name())
                            .encode())
                    : Optional.empty();
        }
    }
}
