package org.anabranch.versioning.read;

import com.google.common.collect.Iterators;
import java.util.Iterator;
import java.util.List;
import java.util.function.Function;
import org.anabranch.dag.CommitGraph;
import org.anabranch.filter.Filter;
import org.anabranch.filter.Filters;
import org.anabranch.index.KeyIndex;
import org.anabranch.model.ChangedEntry;
import org.anabranch.model.Detail;
import org.anabranch.model.EntriesRequest;
import org.anabranch.model.Entry;
import org.anabranch.model.Page;
import org.anabranch.model.VisibleKeys;
import org.anabranch.object.ObjectReader;
import org.anabranch.object.Tree;
import org.anabranch.versioning.read.PageToken.Listing;
import org.anabranch.versioning.refs.ResolvedReference;
import org.jspecify.annotations.Nullable;

/** Reads the entries of commits, in pages. Safe from many threads. */
public final class EntryReader {

    private final VisibleEntries entries;
    private final ObjectReader reader;
    private final Filters filters;
    private final EntryBlocks blocks;

    public EntryReader(CommitGraph graph, KeyIndex index, ObjectReader reader, Filters filters) {
        this.entries = new VisibleEntries(index);
        this.reader = reader;
        this.filters = filters;
        this.blocks = new EntryBlocks(graph, reader);
    }

    /**
     * The reference at the commit that the pages of a listing show: the one asked for, or that of the first page.
     *
     * @throws org.anabranch.model.RefusedException 400 if the page token is none of this listing; 404 if its commit is gone
     */
    public ResolvedReference pinned(ResolvedReference asked, EntriesRequest request) {
        PageToken token = token(asked, request);
        return token == null ? asked : Pins.at(asked, token.commits().get(0), reader);
    }

    /**
     * One page. Costs O(log n) node reads for each visible range, and those of the entries walked: those of the range that is asked
     * for, and with a filter of the range that can match. Contents are read only where they are shown.
     *
     * @param pinned by {@link #pinned}
     * @param visible what it can show; nothing else reaches the filter
     * @throws org.anabranch.model.RefusedException 400 if the filter or the page token is not good
     */
    public Page<Entry> page(ResolvedReference pinned, EntriesRequest request, VisibleKeys visible) {
        return page(pinned, request, visible, block -> blocks.entries(block, request.detail()));
    }

    /**
     * As {@link #page}, with the commits that last put each key: O(log h) bulk reads more per block of entries.
     *
     * @throws org.anabranch.model.RefusedException as {@link #page} does
     */
    public Page<ChangedEntry> changedPage(ResolvedReference pinned, EntriesRequest request, VisibleKeys visible) {
        return page(pinned, request, visible, block -> blocks.changedEntries(pinned.commit(), block, request.detail()));
    }

    private <T> Page<T> page(
            ResolvedReference pinned,
            EntriesRequest request,
            VisibleKeys visible,
            Function<List<KeyedEntry>, List<T>> complete) {
        Filter<Entry> filter = filters.entries(request.filter());
        PageToken token = token(pinned, request);
        KeyWindow window = KeyWindow.of(request.keys(), filter.scope(), token == null ? null : token.next());
        Tree tree = pinned.commit().tree();
        Function<Filter<Entry>, Iterator<KeyedEntry>> walk =
                by -> Iterators.filter(entries(tree, window, visible), entry -> by.test(entry.with(null)));
        Iterator<KeyedEntry> matches = request.filter().isEmpty()
                ? entries(tree, window, visible)
                : BlockPage.evaluated(walk, filter, filters, request.maxRecords());
        long parameters = parameters(pinned, request);
        return new BlockPage<>(
                matches,
                request.maxRecords(),
                BlockPage.BLOCK,
                entry -> request.detail() == Detail.MINIMAL ? 0 : EntryBlocks.contentBytes(entry.stored()),
                complete,
                next -> new PageToken(
                                Listing.ENTRIES,
                                parameters,
                                List.of(pinned.commit().id()),
                                next.key())
                        .encode());
    }

    private Iterator<KeyedEntry> entries(Tree tree, KeyWindow window, VisibleKeys visible) {
        return window.keys() != null
                ? entries.find(tree, window.keys(), visible)
                : entries.walk(tree, window.range(), window.maxElements(), visible);
    }

    private static @Nullable PageToken token(ResolvedReference reference, EntriesRequest request) {
        return request.pageToken().isEmpty()
                ? null
                : PageToken.decode(request.pageToken(), Listing.ENTRIES, parameters(reference, request));
    }

    private static long parameters(ResolvedReference reference, EntriesRequest request) {
        return new PageToken.Parameters()
                .with(reference, request.reference())
                .with(request.keys())
                .with(request.filter())
                .with(request.detail().name())
                .digest();
    }
}
