package org.anabranch.versioning.check;

import java.util.function.BooleanSupplier;
import org.anabranch.store.Store;

/**
 * Verifies a repository. Reads only, through a cache of its own, so it may run beside a service that writes; it sees the references
 * as they are when it lists them, and all that they reach. Safe from many threads.
 *
 * <p>Every reachable commit is read once, in bulk, parents before children, and held against what was verified before: where it
 * stands in the graph against its parents, its tree against its first parent's and its operations. So a commit costs what it
 * touched, and a field that is wrong is one finding, not one for each commit after it. Whole trees are verified by the definition
 * besides, once for each root of history, because a replay would repeat a mistake of the code that wrote.
 *
 * <p>Takes about 40 bytes of memory a commit row, 25 a content id, and a cache of fixed size.
 */
public final class RepositoryCheck {

    /** A check ends with this many. */
    public static final int MOST_FINDINGS = 1_000;

    private final Store store;

    public RepositoryCheck(Store store) {
        this.store = store;
    }

    /** Verifies everything in a store. */
    public static CheckReport full(Store store) {
        return new RepositoryCheck(store).run(CheckLevel.FULL, CheckProgress.NONE, () -> false);
    }

    /**
     * Verifies the repository as it is now.
     *
     * @param progress is told every few thousand rows and hundred commits
     * @param isToldToEnd asked as often; the check ends then, with what it has
     * @throws org.anabranch.store.StoreUnavailableException if the store cannot be read; nothing is known then
     */
    public CheckReport run(CheckLevel level, CheckProgress progress, BooleanSupplier isToldToEnd) {
        return new CheckRun(store, level, progress, isToldToEnd, CheckRun.CACHE_BYTES).run();
    }
}
