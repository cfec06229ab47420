package org.anabranch.versioning.read;

import java.util.List;
import org.anabranch.dag.CommitGraph;
import org.anabranch.index.KeyIndex;
import org.anabranch.index.KeyRange;
import org.anabranch.model.ChangedEntry;
import org.anabranch.model.ChildrenRequest;
import org.anabranch.model.ContentKey;
import org.anabranch.model.Detail;
import org.anabranch.model.Page;
import org.anabranch.model.VisibleKeys;
import org.anabranch.object.Commit;
import org.anabranch.object.IndexKey;
import org.anabranch.object.ObjectReader;
import org.anabranch.versioning.read.PageToken.Listing;
import org.anabranch.versioning.refs.ResolvedReference;
import org.jspecify.annotations.Nullable;

/** Reads what lies below a key: the direct children in pages, and how many keys there are in all. Safe from many threads. */
public final class ChildReader {

    private final VisibleEntries entries;
    private final ObjectReader reader;
    private final EntryBlocks blocks;

    public ChildReader(CommitGraph graph, KeyIndex index, ObjectReader reader) {
        this.entries = new VisibleEntries(index);
        this.reader = reader;
        this.blocks = new EntryBlocks(graph, reader);
    }

    /**
     * The reference at the commit that the pages of a listing show: the one asked for, or that of the first page.
     *
     * @throws org.anabranch.model.RefusedException 400 if the page token is none of this listing; 404 if its commit is gone
     */
    public ResolvedReference pinned(ResolvedReference asked, ChildrenRequest request) {
        PageToken token = token(asked, request);
        return token == null ? asked : Pins.at(asked, token.commits().get(0), reader);
    }

    /**
     * One page of the keys with one element more than the parent, in key order, each with the commit that last put it. Costs O(log
     * n) node reads per key and per visible range, however much lies below it, and the look-up of the commits, O(log h) bulk reads
     * per block of keys.
     *
     * @param pinned by {@link #pinned}
     * @param visible what it can show
     * @return empty also if there is no such parent
     * @throws org.anabranch.model.RefusedException 400 if the page token is none of this listing
     */
    public Page<ChangedEntry> page(ResolvedReference pinned, ChildrenRequest request, VisibleKeys visible) {
        ContentKey parent = request.parent();
        PageToken token = token(pinned, request);
        KeyRange range = range(parent, token == null ? null : token.next());
        int elements = parent == null ? 1 : parent.elements().size() + 1;
        Commit commit = pinned.commit();
        long parameters = parameters(pinned, request);
        return new BlockPage<>(
                entries.walk(commit.tree(), range, elements, visible),
                request.maxRecords(),
                BlockPage.BLOCK,
                entry -> request.detail() == Detail.MINIMAL ? 0 : EntryBlocks.contentBytes(entry.stored()),
                block -> blocks.changedEntries(commit, block, request.detail()),
                next -> new PageToken(Listing.CHILDREN, parameters, List.of(commit.id()), next.key()).encode());
    }

    /**
     * How many keys lie below another, at whatever depth: O(log n) node reads for each visible range of which everything may be seen;
     * the keys of others are walked.
     *
     * @param parent does not count itself; null for all keys
     * @param visible what counts
     */
    public long count(Commit commit, @Nullable ContentKey parent, VisibleKeys visible) {
        return entries.count(commit.tree(), range(parent, null), visible);
    }

    /** The keys below a parent, from a key on if that is one of them. */
    private static KeyRange range(@Nullable ContentKey parent, @Nullable ContentKey next) {
        KeyRange below = parent == null ? KeyRange.ALL : KeyRange.below(IndexKey.of(parent));
        return next != null && (parent == null || next.startsWith(parent))
                ? new KeyRange(IndexKey.of(next), below.until())
                : below;
    }

    private static @Nullable PageToken token(ResolvedReference reference, ChildrenRequest request) {
        return request.pageToken().isEmpty()
                ? null
                : PageToken.decode(request.pageToken(), Listing.CHILDREN, parameters(reference, request));
    }

    private static long parameters(ResolvedReference reference, ChildrenRequest request) {
        return new PageToken.Parameters()
                .with(reference, request.reference())
                .with(request.parent())
                .with(request.detail().name())
                .digest();
    }
}
