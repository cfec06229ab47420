package org.anabranch.versioning.transfer;

import java.io.IOException;
import java.io.OutputStream;
import java.time.InstantSource;
import java.util.function.BooleanSupplier;
import org.anabranch.store.Store;

/**
 * Writes a repository to one file, beside whatever else is done with its store. Safe from many threads.
 *
 * <p>What it writes follows from the repository alone: record, references in order of kind and name, and the commits that they and
 * their remembered heads lead to, parents before children, all of them as clients see them. So two exports of one state have the same
 * bytes, in whatever stores they were kept, as long as the Java platform compresses alike.
 *
 * <p>Each reference is as it was at one moment; all of them are read at the beginning, a few thousand at once. What they lead
 * to then is held off from sweeps until the end. Takes about 50 bytes of memory a commit row of the store, 100 a reference, 16
 * a head, and 64 MB of cache.
 */
public final class RepositoryExport {

    private static final long CACHE_BYTES = 64 << 20;

    private final Store store;
    private final InstantSource clock;
    private final int blockBytes;

    /** @param clock measures how often sweeps must be held off */
    public RepositoryExport(Store store, InstantSource clock) {
        this(store, clock, ExportWriter.BLOCK_BYTES);
    }

    /** @param blockBytes a block of the file is closed when it holds that many */
    RepositoryExport(Store store, InstantSource clock, int blockBytes) {
        this.store = store;
        this.clock = clock;
        this.blockBytes = blockBytes;
    }

    /**
     * Writes the file, each commit once, read with what it touched and verified against its hash.
     *
     * @param to is flushed at the end, and not closed
     * @param isToldToEnd asked now and then
     * @throws IllegalStateException if the repository is of another format or being imported; nothing is written
     * @throws TransferRefusedException if there is no repository, a commit is not what its hash says, or it is told to end;
     *     what was written is no export then
     * @throws org.anabranch.store.StoreUnavailableException as before
     * @throws org.anabranch.store.MissingRowException as before: the repository is damaged
     * @throws IOException if the file cannot be written
     */
    public ExportReport run(OutputStream to, TransferProgress progress, BooleanSupplier isToldToEnd)
            throws IOException {
        return new ExportRun(store, clock, new ExportWriter(to, blockBytes), CACHE_BYTES, progress, isToldToEnd).run();
    }
}
