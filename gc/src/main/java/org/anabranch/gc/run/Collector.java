package org.anabranch.gc.run;

import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import org.anabranch.gc.CatalogSource;
import org.anabranch.gc.ContentPointer;
import org.anabranch.gc.FileDeleter;
import org.anabranch.gc.FileInventory;
import org.anabranch.gc.LivenessCheck;
import org.anabranch.gc.Progress;
import org.anabranch.gc.StoredFile;
import org.anabranch.gc.Workers;
import org.anabranch.gc.expand.Expander;
import org.anabranch.gc.mark.Mark;
import org.anabranch.gc.state.Runs.Run;
import org.anabranch.gc.state.Runs.Step;
import org.anabranch.gc.state.StateFolder;
import org.anabranch.gc.state.UnreferencedFiles.Unreferenced;
import org.anabranch.gc.sweep.SweepOptions;
import org.anabranch.gc.sweep.SweepSummary;
import org.anabranch.gc.sweep.Sweeper;

/**
 * The steps of a run: mark what is live, expand it to files, sweep the rest. Each is complete or can be done again; a run that
 * was broken off goes on where it was, even if its process was killed.
 */
public final class Collector {

    private static final int FILES_AT_ONCE = 1000;

    private final StateFolder state;
    private final CatalogSource catalog;
    private final Scope scope;
    private final Expander expander;
    private final FileInventory inventory;
    private final FileDeleter deleter;
    private final Workers workers;
    private final Progress progress;
    private final InstantSource clock;

    public Collector(
            StateFolder state,
            CatalogSource catalog,
            Scope scope,
            Expander expander,
            FileInventory inventory,
            FileDeleter deleter,
            Workers workers,
            Progress progress,
            InstantSource clock) {
        this.state = state;
        this.catalog = catalog;
        this.scope = scope;
        this.expander = expander;
        this.inventory = inventory;
        this.deleter = deleter;
        this.workers = workers;
        this.progress = progress;
        this.clock = clock;
    }

    /** Whether a run that is begun may be gone on with. */
    public enum Start {
        /** Goes on with the latest run if it was begun under the same scope and has not come to its end. */
        RESUME,
        /** Begins a new run; the one before cannot be gone on with then. */
        NEW
    }

    /**
     * Marks what is live, in a new run or in one that was broken off.
     *
     * @return the run, marked
     * @throws org.anabranch.gc.CatalogUnreadableException if anything of the catalog cannot be read, or perhaps is not shown
     */
    public Run mark(Start start) {
        scope.requireWholeView(catalog);
        Run run = start == Start.NEW
                ? begin()
                : state.runs().latest().filter(this::canGoOn).orElseGet(this::begin);
        if (run.markedAt() != null) {
            return run;
        }
        marks(run).markAll();
        // What was hidden meanwhile would be missing.
        scope.requireWholeView(catalog);
        return state.runs().complete(run, Step.MARK, clock.instant());
    }

    /**
     * Expands what a run's mark found live, and looks up where dropped contents lay.
     *
     * @throws IllegalArgumentException if the run is not marked, was begun under another scope, or by a clock that was set back since
     */
    public Run expand(Run run) {
        requireUsable(run);
        if (run.markedAt() == null) {
            throw new IllegalArgumentException("Run " + run.id() + " is not marked yet: do 'gc mark' first");
        }
        if (run.expandedAt() != null) {
            return run;
        }
        expander.expandLive();
        expander.locateDead();
        forgetNeeded();
        return state.runs().complete(run, Step.EXPAND, clock.instant());
    }

    /**
     * Lists the storages, and deletes what is unreferenced for long enough.
     *
     * @param report gets a line for each file that goes
     * @throws IllegalArgumentException if the run is not expanded, was begun under another scope, or by a clock that was set back since
     */
    public SweepSummary sweep(Run run, SweepOptions options, Sweeper.Mode mode, Path report) {
        requireUsable(run);
        if (run.expandedAt() == null) {
            throw new IllegalArgumentException("Run " + run.id() + " is not expanded yet: do 'gc expand' first");
        }
        scope.requireWholeView(catalog);
        Mark mark = marks(run);
        LivenessCheck liveness = () -> {
            List<ContentPointer> more = mark.markAgain();
            scope.requireWholeView(catalog);
            return more;
        };
        Sweeper sweeper = new Sweeper(state, inventory, deleter, liveness, expander, workers, progress, clock);
        SweepSummary summary = sweeper.sweep(run, options, mode, report);
        state.runs().complete(run, Step.SWEEP, clock.instant());
        return summary;
    }

    /** What is needed again counts as unreferenced from a later run on, also if this one never sweeps. */
    private void forgetNeeded() {
        List<Unreferenced> some = state.unreferencedFiles().recorded("", FILES_AT_ONCE);
        while (!some.isEmpty()) {
            Set<StoredFile> unneeded = Set.copyOf(state.liveFiles()
                    .unneeded(some.stream().map(Unreferenced::file).toList()));
            state.unreferencedFiles()
                    .forget(some.stream()
                            .map(Unreferenced::file)
                            .filter(file -> !unneeded.contains(file))
                            .map(StoredFile::path)
                            .toList());
            String last = some.get(some.size() - 1).file().path();
            some = state.unreferencedFiles().recorded(last, FILES_AT_ONCE);
        }
    }

    private void requireUsable(Run run) {
        if (!run.policies().equals(scope.toString())) {
            throw new IllegalArgumentException("Run " + run.id() + " was begun with other options. Then: "
                    + run.policies() + ". Now: " + scope + ". Give the same, or begin a new run with 'gc mark'");
        }
        if (isYetToBegin(run)) {
            throw new IllegalArgumentException("Run " + run.id() + " began at " + run.startedAt() + ", and now is "
                    + clock.instant()
                    + " by this machine's clock, which was set back: what is old cannot be told. Begin a"
                    + " new run with 'gc mark'");
        }
    }

    private boolean isYetToBegin(Run run) {
        return run.startedAt().isAfter(clock.instant());
    }

    private Run begin() {
        return state.runs().begin(clock.instant(), scope.toString());
    }

    private boolean canGoOn(Run run) {
        return run.sweptAt() == null && run.policies().equals(scope.toString()) && !isYetToBegin(run);
    }

    private Mark marks(Run run) {
        return new Mark(
                catalog,
                state.commitLog(),
                state.liveSet(),
                workers,
                progress,
                scope.policies(),
                scope.pins(),
                run.startedAt());
    }
}
