package org.anabranch.versioning.refs;

import java.util.function.LongSupplier;
import org.anabranch.store.Store;

/**
 * Hands out numbers of commit rows, taken from the store in blocks. No number is handed out twice, also not by another process;
 * what is left of a block when the process ends is lost. Safe from many threads.
 */
public final class NumberBlocks implements LongSupplier {

    private final Store store;
    private final int blockSize;
    private long next;
    private long end;

    /** @param blockSize how many numbers one durable write of the store brings, at least 1 */
    public NumberBlocks(Store store, int blockSize) {
        this.store = store;
        this.blockSize = blockSize;
    }

    /**
     * The next number, at least 1. Costs a store trip for each block.
     *
     * @throws org.anabranch.store.StoreUnavailableException if a block is needed and cannot be had
     */
    @Override
    public synchronized long getAsLong() {
        if (next == end) {
            next = store.numbers(blockSize);
            end = next + blockSize;
        }
        return next++;
    }
}
