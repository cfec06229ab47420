package org.anabranch.versioning.read;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.anabranch.filter.Filter;
import org.anabranch.filter.Filters;
import org.anabranch.model.Page;
import org.jspecify.annotations.Nullable;

/**
 * A page that takes what matches from a walk and completes it block by block, one bulk read each.
 *
 * @param <M> what is walked
 * @param <T> what is shown
 */
final class BlockPage<M, T> implements Page<T> {

    /** A good number of small matches to complete at once. */
    static final int BLOCK = 100;

    /** From this size on of what completes them, no more matches are completed at once. */
    private static final long BLOCK_BYTES = 1 << 20;

    /** So many matches are held at most while a filter runs ahead. */
    private static final int HELD = 1_000;

    private final Iterator<M> matches;
    private final Function<List<M>, List<T>> complete;
    private final Function<M, String> token;
    private final int blockSize;
    private final ToLongFunction<M> bytes;
    private long left;
    private Iterator<T> block = Collections.emptyIterator();
    private @Nullable String nextToken;

    /**
     * Reads the first block, so that a store that cannot be read shows before anything is on its way to the client.
     *
     * @param limit the most items; no limit if 0 or less
     * @param blockSize the most matches that are completed at once; the memory of a page is a small multiple of a block
     * @param bytes roughly what is read to complete a match; a block ends with the one that makes it large
     * @param complete makes items of a block of matches, one each
     * @param token names a match that did not fit
     */
    BlockPage(
            Iterator<M> matches,
            int limit,
            int blockSize,
            ToLongFunction<M> bytes,
            Function<List<M>, List<T>> complete,
            Function<M, String> token) {
        this.matches = matches;
        this.blockSize = blockSize;
        this.bytes = bytes;
        this.left = limit > 0 ? limit : Long.MAX_VALUE;
        this.complete = complete;
        this.token = token;
        readBlock();
    }

    /**
     * The matches of a filter, which has run over all of the page and the match behind it, and no further: if it fails on an
     * object or takes too long, it does so here and not behind items that are on their way to the client. Costs a second
     * evaluation of long pages.
     *
     * @param walk begins the walk anew
     * @param limit of the page
     */
    static <F, M> Iterator<M> evaluated(
            Function<Filter<F>, Iterator<M>> walk, Filter<F> filter, Filters filters, int limit) {
        Iterator<M> ahead = walk.apply(filters.timed(filter));
        long wanted = limit > 0 ? limit + 1L : Long.MAX_VALUE;
        List<M> held = new ArrayList<>();
        while (held.size() < Math.min(wanted, HELD) && ahead.hasNext()) {
            held.add(ahead.next());
        }
        if (held.size() == wanted || !ahead.hasNext()) {
            return held.iterator();
        }
        for (long seen = held.size(); seen < wanted && ahead.hasNext(); seen++) {
            ahead.next();
        }
        return walk.apply(filter);
    }

    @Override
    public boolean hasNext() {
        if (!block.hasNext() && left > 0) {
            readBlock();
        }
        return block.hasNext();
    }

    private void readBlock() {
        List<M> taken = new ArrayList<>();
        long size = 0;
        while (left > 0 && taken.size() < blockSize && size < BLOCK_BYTES && matches.hasNext()) {
            M match = matches.next();
            taken.add(match);
            size += bytes.applyAsLong(match);
            left--;
        }
        block = taken.isEmpty()
                ? Collections.emptyIterator()
                : complete.apply(taken).iterator();
        if (left == 0 && matches.hasNext()) {
            nextToken = token.apply(matches.next());
        }
    }

    @Override
    public T next() {
        if (!hasNext()) {
            throw new NoSuchElementException();
        }
        return block.next();
    }

    @Override
    public Optional<String> nextToken() {
        if (hasNext()) {
            throw new IllegalStateException("The page has further items");
        }
        return Optional.ofNullable(nextToken);
    }
}
