package org.anabranch.versioning.sweep;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.anabranch.model.CommitId;
import org.anabranch.model.ReferenceKind;
import org.anabranch.scale.SmallHeap;
import org.anabranch.store.Change;
import org.anabranch.store.CommitRow;
import org.anabranch.store.Head;
import org.anabranch.store.ReferenceRow;
import org.anabranch.store.Store;
import org.anabranch.store.WriteOutcome;
import org.anabranch.store.embedded.EmbeddedStore;
import org.anabranch.testing.PostgresStores;
import org.jspecify.annotations.Nullable;

/**
 * Sweeps a store of many commits, half of which no reference leads to: condemns them, deletes them, and sweeps once more. Prints one
 * row of figures, and fails if other rows go than those.
 */
public final class SweepScaleRun {

    /** What the row holds: seconds of each sweep, the most bytes that the heap and the process took, in megabytes. */
    static final String COLUMNS = "store,commits,deleted,condemn_s,delete_s,again_s,heap_mb,process_mb";

    /** Of a commit of one table. */
    private static final int BYTES_PER_ROW = 1_300;

    private static final int ROWS_PER_WRITE = 1_000;
    private static final String MAIN = "main";

    private final Store store;
    private final Random random = new Random(1);
    private double seconds;

    private SweepScaleRun(Store store) {
        this.store = store;
    }

    /**
     * Runs.
     *
     * @param args {@code embedded} or {@code postgresql}, the number of commits, and an empty folder
     */
    public static void main(String[] args) {
        int commits = Integer.parseInt(args[1]);
        try (Store store = args[0].equals("embedded") ? EmbeddedStore.open(Path.of(args[2])) : PostgresStores.open()) {
            System.out.println(args[0] + "," + new SweepScaleRun(store).measure(commits));
        }
    }

    private String measure(int commits) {
        int unreached = commits / 2;
        fill(commits);
        SweepReport first = sweep();
        double condemning = seconds;
        require(first.rows() == commits && first.condemned() == unreached, first);
        SweepReport second = sweep();
        double deleting = seconds;
        require(second.deleted() == unreached && second.waiting() == 0, second);
        SweepReport third = sweep();
        require(third.rows() == commits - unreached && third.reached() == third.rows(), third);
        return String.format(
                Locale.ROOT,
                "%d,%d,%.1f,%.1f,%.1f,%d,%d",
                commits,
                unreached,
                condemning,
                deleting,
                seconds,
                SmallHeap.peakHeapBytes() >> 20,
                SmallHeap.peakProcessBytes() >> 20);
    }

    private SweepReport sweep() {
        long start = System.nanoTime();
        SweepReport report = new StoreSweep(store, InstantSource.system(), Duration.ZERO)
                .run(SweepMode.SWEEP, SweepProgress.NONE, () -> false);
        seconds = (System.nanoTime() - start) / 1e9;
        return report;
    }

    /** Two lines, whose rows take turns: a branch leads to that of the uneven numbers. */
    private void fill(int commits) {
        ReferenceRow main = null;
        List<CommitRow> rows = new ArrayList<>();
        for (int i = 1; i <= commits; i++) {
            byte[] bytes = new byte[BYTES_PER_ROW];
            random.nextBytes(bytes);
            rows.add(new CommitRow(i, id(i), List.of(Math.max(0L, i - 2L)), List.of(bytes)));
            if (rows.size() == ROWS_PER_WRITE || i == commits) {
                main = write(rows, main, i % 2 == 1 ? i : i - 1);
                rows.clear();
            }
        }
    }

    private ReferenceRow write(List<CommitRow> rows, @Nullable ReferenceRow before, long head) {
        ReferenceRow after = before == null
                ? new ReferenceRow(MAIN, ReferenceKind.BRANCH, new Head(head, id(head)), 1, 1, 0, List.of())
                : before.movedTo(new Head(head, id(head)), List.of());
        WriteOutcome outcome = store.write(rows, List.of(), new Change.OfReference(MAIN, before, after), List.of());
        require(outcome instanceof WriteOutcome.Written, outcome);
        return after;
    }

    private static CommitId id(long number) {
        return CommitId.of(ByteBuffer.allocate(CommitId.BYTES).putLong(number).array());
    }

    private static void require(boolean holds, Object otherwise) {
        if (!holds) {
            throw new IllegalStateException(otherwise.toString());
        }
    }
}
