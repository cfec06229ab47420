package org.anabranch.versioning.read;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.anabranch.dag.CommitGraph;
import org.anabranch.index.KeyIndex;
import org.anabranch.model.ChangeKind;
import org.anabranch.model.Content;
import org.anabranch.model.ContentKey;
import org.anabranch.model.Detail;
import org.anabranch.model.HistoryRequest;
import org.anabranch.model.KeyHistoryEntry;
import org.anabranch.model.KeyHistoryRequest;
import org.anabranch.model.Page;
import org.anabranch.model.VisibleKeys;
import org.anabranch.object.IndexKey;
import org.anabranch.object.ObjectReader;
import org.anabranch.versioning.read.PageToken.Listing;
import org.anabranch.versioning.refs.ResolvedReference;
import org.jspecify.annotations.Nullable;

/** Reads which commits changed a key, youngest first, in pages. Safe from many threads. */
public final class KeyHistoryReader {

    private final CommitGraph graph;
    private final KeyIndex index;
    private final ObjectReader reader;

    public KeyHistoryReader(CommitGraph graph, KeyIndex index, ObjectReader reader) {
        this.graph = graph;
        this.index = index;
        this.reader = reader;
    }

    /**
     * The reference at the commit that a page begins with: the one asked for, or that of the page token.
     *
     * @throws org.anabranch.model.RefusedException 400 if the page token is none of this listing; 404 if its commit is gone
     */
    public ResolvedReference pinned(ResolvedReference asked, KeyHistoryRequest request) {
        PageToken token = token(asked, request);
        return token == null ? asked : Pins.at(asked, token.commits().get(0), reader);
    }

    /**
     * One page of the commits on the first-parent line that put or deleted the key, the content being followed through renames.
     * A put counts also if it changes nothing. What the key held before its content was renamed to it is not shown.
     *
     * <p>Costs O(log h + log n) reads for each change. For one that begins or ends a content under the key also O(m log n) node
     * reads, in one bulk read per level, for the m operations of the commit. Times without the key cost O(log n) reads for each
     * commit that changed the leaf where the key would be: before it was created, too, since it may have been there earlier.
     *
     * @param from by {@link #pinned}
     * @param visible contents and other keys that are not among it are passed over as if they did not exist
     * @return empty if no commit of the line ever held the key
     * @throws org.anabranch.model.RefusedException 400 if the page token is none of this listing
     */
    public Page<KeyHistoryEntry> page(ResolvedReference from, KeyHistoryRequest request, VisibleKeys visible) {
        long parameters = parameters(from, request);
        PageToken token = token(from, request);
        ContentKey key = token == null ? request.key() : token.next();
        int limit = request.maxRecords() > 0
                ? Math.min(request.maxRecords(), HistoryRequest.MAX_RECORDS)
                : HistoryRequest.MAX_RECORDS;
        return new BlockPage<>(
                new KeyChanges(graph, index, reader, from.commit(), IndexKey.of(key), visible),
                limit,
                BlockPage.BLOCK,
                change -> request.detail() == Detail.MINIMAL ? 0 : EntryBlocks.contentBytes(change.entry()),
                block -> entries(block, request.detail()),
                next -> new PageToken(
                                Listing.KEY_HISTORY,
                                parameters,
                                List.of(next.commit().id()),
                                next.key().toContentKey())
                        .encode());
    }

    private List<KeyHistoryEntry> entries(List<KeyChanges.Change> block, Detail detail) {
        Iterator<Content> contents = detail == Detail.MINIMAL
                ? List.<Content>of().iterator()
                : reader.contents(block.stream()
                                .filter(change -> change.kind() != ChangeKind.DELETED)
                                .map(KeyChanges.Change::entry)
                                .toList())
                        .iterator();
        List<KeyHistoryEntry> entries = new ArrayList<>();
        for (KeyChanges.Change change : block) {
            boolean deleted = change.kind() == ChangeKind.DELETED;
            ContentKey other = change.other() == null ? null : change.other().toContentKey();
            entries.add(new KeyHistoryEntry(
                    change.commit().header(),
                    change.key().toContentKey(),
                    change.kind(),
                    deleted ? null : other,
                    deleted ? other : null,
                    change.entry().contentId(),
                    deleted || detail == Detail.MINIMAL ? null : contents.next()));
        }
        return entries;
    }

    private static @Nullable PageToken token(ResolvedReference reference, KeyHistoryRequest request) {
        return request.pageToken().isEmpty()
                ? null
                : PageToken.decode(request.pageToken(), Listing.KEY_HISTORY, parameters(reference, request));
    }

    private static long parameters(ResolvedReference reference, KeyHistoryRequest request) {
        return new PageToken.Parameters()
                .with(reference, request.reference())
                .with(request.key())
                .with(request.detail().name())
                .digest();
    }
}
