package org.anabranch.versioning.read;

import com.google.common.collect.Iterators;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.anabranch.filter.Filter;
import org.anabranch.filter.Filters;
import org.anabranch.index.EntryDiff;
import org.anabranch.index.KeyIndex;
import org.anabranch.index.KeyRanges;
import org.anabranch.model.Content;
import org.anabranch.model.ContentKey;
import org.anabranch.model.DiffEntry;
import org.anabranch.model.DiffRequest;
import org.anabranch.model.Page;
import org.anabranch.model.VisibleKeys;
import org.anabranch.object.IndexEntry;
import org.anabranch.object.IndexKey;
import org.anabranch.object.ObjectReader;
import org.anabranch.object.Tree;
import org.anabranch.versioning.read.PageToken.Listing;
import org.anabranch.versioning.refs.ResolvedReference;
import org.jspecify.annotations.Nullable;

/** Compares what two commits hold, in pages. They need no common history. Safe from many threads. */
public final class DiffReader {

    /** The two commits that are compared. */
    public record Sides(ResolvedReference from, ResolvedReference to) {}

    /** What may be seen of each side. */
    public record Visible(VisibleKeys from, VisibleKeys to) {

        public static final Visible ALL = new Visible(VisibleKeys.ALL, VisibleKeys.ALL);

        /** The difference between what may be seen of the sides; empty if there is none that could be told. */
        private Optional<EntryDiff> of(EntryDiff diff) {
            ContentKey key = diff.key().toContentKey();
            IndexEntry one = seen(key, diff.from(), from);
            IndexEntry other = seen(key, diff.to(), to);
            boolean canBeTold = one != null
                    ? other != null || to.shows(key, one.type())
                    : other != null && from.shows(key, other.type());
            return canBeTold ? Optional.of(new EntryDiff(diff.key(), one, other)) : Optional.empty();
        }

        private static @Nullable IndexEntry seen(ContentKey key, @Nullable IndexEntry entry, VisibleKeys side) {
            return entry != null && side.shows(key, entry.type()) ? entry : null;
        }
    }

    private final KeyIndex index;
    private final ObjectReader reader;
    private final Filters filters;

    public DiffReader(KeyIndex index, ObjectReader reader, Filters filters) {
        this.index = index;
        this.reader = reader;
        this.filters = filters;
    }

    /**
     * The references at the commits that the pages of a comparison show: those asked for, or those of the first page.
     *
     * @throws org.anabranch.model.RefusedException 400 if the page token is none of this comparison; 404 if a commit of it is
     *     gone
     */
    public Sides pinned(Sides asked, DiffRequest request) {
        PageToken token = token(asked, request);
        return token == null
                ? asked
                : new Sides(
                        Pins.at(asked.from(), token.commits().get(0), reader),
                        Pins.at(asked.to(), token.commits().get(1), reader));
    }

    /**
     * One page. Costs O(log n) node reads for each key that differs in the range that is asked for and can match the filter, as far as
     * it may be seen on both sides, and for each range that may be and begins or ends among differences; none for what is equal.
     *
     * <p>What is shown is a function of what may be seen of each side. A key that may not be seen for what it holds counts as
     * absent. One that is absent on one side is shown only if what the other side holds could be seen there too.
     *
     * @param pinned by {@link #pinned}
     * @param visible what can be shown of both sides
     * @throws org.anabranch.model.RefusedException 400 if the filter or the page token is not good
     */
    public Page<DiffEntry> page(Sides pinned, DiffRequest request, Visible visible) {
        Filter<ContentKey> filter = filters.diff(request.filter());
        PageToken token = token(pinned, request);
        KeyWindow window = KeyWindow.of(request.keys(), filter.scope(), token == null ? null : token.next());
        Tree from = pinned.from().commit().tree();
        Tree to = pinned.to().commit().tree();
        Function<Filter<ContentKey>, Iterator<EntryDiff>> walk = by -> Iterators.filter(
                differences(from, to, window, visible),
                diff -> by.test(diff.key().toContentKey()));
        Iterator<EntryDiff> matches = request.filter().isEmpty()
                ? differences(from, to, window, visible)
                : BlockPage.evaluated(walk, filter, filters, request.maxRecords());
        long parameters = parameters(pinned, request);
        return new BlockPage<>(
                matches,
                request.maxRecords(),
                BlockPage.BLOCK,
                diff -> EntryBlocks.contentBytes(diff.from()) + EntryBlocks.contentBytes(diff.to()),
                this::withContents,
                next -> new PageToken(
                                Listing.DIFF,
                                parameters,
                                List.of(
                                        pinned.from().commit().id(),
                                        pinned.to().commit().id()),
                                next.key().toContentKey())
                        .encode());
    }

    private Iterator<EntryDiff> differences(Tree from, Tree to, KeyWindow window, Visible visible) {
        if (window.keys() != null) {
            return seen(
                    differences(index.findAll(from, window.keys()), index.findAll(to, window.keys()), window.keys()),
                    visible);
        }
        KeyRanges ranges = new RangesOfBoth(
                window.range(), visible.from().ranges(), visible.to().ranges());
        return seen(index.diff(from, to, ranges), visible);
    }

    private static Iterator<EntryDiff> seen(Iterator<EntryDiff> differences, Visible visible) {
        if (visible.equals(Visible.ALL)) {
            return differences;
        }
        return Iterators.concat(Iterators.transform(
                differences, diff -> visible.of(diff).stream().iterator()));
    }

    private static Iterator<EntryDiff> differences(
            Map<IndexKey, IndexEntry> from, Map<IndexKey, IndexEntry> to, List<IndexKey> keys) {
        List<EntryDiff> differences = new ArrayList<>();
        for (IndexKey key : keys) {
            IndexEntry one = from.get(key);
            IndexEntry other = to.get(key);
            boolean same = one == null ? other == null : other != null && one.hasSameValueAs(other);
            if (!same) {
                differences.add(new EntryDiff(key, one, other));
            }
        }
        return differences.iterator();
    }

    private List<DiffEntry> withContents(List<EntryDiff> block) {
        List<IndexEntry> sides = block.stream()
                .flatMap(diff -> Stream.of(diff.from(), diff.to()))
                .filter(Objects::nonNull)
                .toList();
        Iterator<Content> contents = reader.contents(sides).iterator();
        return block.stream()
                .map(diff -> new DiffEntry(
                        diff.key().toContentKey(),
                        diff.from() == null ? null : contents.next(),
                        diff.to() == null ? null : contents.next()))
                .toList();
    }

    private static @Nullable PageToken token(Sides sides, DiffRequest request) {
        return request.pageToken().isEmpty()
                ? null
                : PageToken.decode(request.pageToken(), Listing.DIFF, parameters(sides, request));
    }

    private static long parameters(Sides sides, DiffRequest request) {
        return new PageToken.Parameters()
                .with(sides.from(), request.from())
                .with(sides.to(), request.to())
                .with(request.keys())
                .with(request.filter())
                .digest();
    }
}
