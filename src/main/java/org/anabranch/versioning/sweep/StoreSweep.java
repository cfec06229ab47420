package org.anabranch.versioning.sweep;

import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.anabranch.store.Instants;
import org.anabranch.store.Store;

/**
 * Deletes commit rows that no reference reaches, in two runs: one condemns them, a later one deletes what is still condemned. May run
 * beside services that write, in any number of processes at once, and may end at any step. Safe from many threads.
 *
 * <p>Takes about 60 bytes of memory a commit row, and reads the links of all rows and none of their chunks.
 */
public final class StoreSweep {

    /*
     * What must never happen is that a row goes which a reference reaches, now or by a write that is under way. A run is:
     *
     *   1. List all rows with their parents (L), then all marks (C), then references with their remembered heads, then receipts.
     *      What these lead to is reached.
     *   2. Take the marks from rows that are reached.
     *   3. Delete each row that is not reached, carries a mark that is as old as the grace period, and of which the same is true of
     *      every row in L that descends from it. Children go before parents; the store deletes a row only if it still carries the
     *      mark that was read.
     *   4. Condemn all other rows that are not reached, children before parents.
     *
     * Why it is safe. Let X be a row that step 3 deletes, and T the time after L when the reading of marks began. All
     * descendants of X that existed at T are in L: one that was written behind the listing's back took the mark of its parent, and
     * so that of X, because a write takes the marks of all that it leads to and of the head that it follows. All of them carried
     * marks from long before T on. Look at the first of these marks that was taken since: on every path from there to X all rows
     * were marked, so the write, or step 2 of another run, which go from marked rows to marked parents, came to X and took its
     * mark in the same step. Then the deletion finds another mark, or none. If none was taken, nobody wrote a child of X or its
     * descendants, and nobody made a reference lead to one of them. A reference that led there before T, and still does, is in
     * the listing, and X is reached. That listings are read page by page does not matter: to come to a page that was read
     * already, a reference must be written.
     *
     * A condemned row may be reached all the same, for example because a branch was created at it between steps 1 and 4. That
     * does no harm: the next run reaches it, and until then it is read as before. This is why deleting needs a listing of its
     * own, and why the age of a mark counts: a write that did not see the mark has ended by then.
     *
     * Rows appear with the reference that leads to them, and L is read before the references. So a row of a write under way is
     * not in L, or its reference is listed as well. On a store that writes rows first, a row in L may be one whose reference is
     * yet to be written: it is condemned, and spared by the next run, since a write does not take as long as the grace period.
     *
     * At every moment, after a crash as well, the descendants of a deleted row are deleted: what is left of a line can still be
     * adopted whole.
     */

    /** The writers of an embedded store wait for a step. */
    private static final int ROWS_PER_STEP = 200;

    private final Store store;
    private final InstantSource clock;
    private final Duration grace;
    private final int rowsPerStep;

    /**
     * @param clock for a store without one that its processes share
     * @param grace how long a row is condemned before it is deleted: longer than any write lasts, and long enough to notice
     *     that a branch was deleted by mistake
     */
    public StoreSweep(Store store, InstantSource clock, Duration grace) {
        this(store, clock, grace, ROWS_PER_STEP);
    }

    /** @param rowsPerStep how many references, marks or rows are read or changed at once */
    StoreSweep(Store store, InstantSource clock, Duration grace, int rowsPerStep) {
        if (grace.isNegative()) {
            throw new IllegalArgumentException("The grace period is not negative");
        }
        this.store = store;
        this.clock = clock;
        this.grace = grace;
        this.rowsPerStep = rowsPerStep;
    }

    /**
     * Sweeps once.
     *
     * @param progress is told every few hundred rows
     * @param isToldToEnd asked as often; the sweep ends then, with what it has done
     * @throws UnsweepableException if what a reference leads to is not stored; nothing was deleted then
     * @throws org.anabranch.store.StoreUnavailableException if the store does not work; what was done stays done
     * @throws org.anabranch.store.OutcomeUnknownException as before; the next run finds out
     */
    public SweepReport run(SweepMode mode, SweepProgress progress, BooleanSupplier isToldToEnd) {
        long nowMicros = store.clockMicros().orElseGet(() -> Instants.micros(clock.instant()));
        long agedMicros = nowMicros - TimeUnit.MICROSECONDS.convert(grace);
        return new SweepRun(store, nowMicros, agedMicros, rowsPerStep, mode, progress, isToldToEnd).run();
    }
}
