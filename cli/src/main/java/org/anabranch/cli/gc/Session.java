package org.anabranch.cli.gc;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Locale;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.anabranch.gc.Progress.Phase;
import org.anabranch.gc.Workers;
import org.anabranch.gc.api.ApiCatalogSource;
import org.anabranch.gc.expand.Expander;
import org.anabranch.gc.expand.IcebergTableFiles;
import org.anabranch.gc.run.Collector;
import org.anabranch.gc.run.Collector.Start;
import org.anabranch.gc.run.Scope;
import org.anabranch.gc.state.Runs.Run;
import org.anabranch.gc.state.StateFolder;
import org.anabranch.gc.storage.LakeFileIO;
import org.anabranch.gc.storage.RequestRate;
import org.anabranch.gc.storage.StoredFiles;
import org.anabranch.gc.storage.SymbolicLinks;
import org.anabranch.gc.sweep.LeftAlone;
import org.anabranch.gc.sweep.SweepOptions;
import org.anabranch.gc.sweep.SweepSummary;
import org.anabranch.gc.sweep.SweepSummary.Amount;
import org.anabranch.gc.sweep.SweepSummary.Fate;
import org.anabranch.gc.sweep.Sweeper;

/** An open state folder with a collector over it, which tells what it does. */
final class Session implements AutoCloseable {

    private static final int LEFT_ALONE_IN_OUTPUT = 20;

    private final StateFolder state;
    private final Workers workers;
    private final ExecutorService manifestReaders;
    private final LakeFileIO io;
    private final ConsoleProgress progress;
    private final Collector collector;
    private final Duration leastSafetyAge;
    private final PrintWriter out;

    /** Takes over the state folder and the storages, which it closes with itself. */
    Session(
            StateFolder state,
            ApiCatalogSource catalog,
            Scope scope,
            Duration leastSafetyAge,
            LakeFileIO io,
            RequestRate rate,
            int parallelism,
            InstantSource clock,
            PrintWriter out) {
        this.state = state;
        this.leastSafetyAge = leastSafetyAge;
        this.out = out;
        this.workers = new Workers(parallelism);
        this.manifestReaders = Executors.newFixedThreadPool(
                parallelism,
                Thread.ofPlatform().daemon().name("gc-manifests-", 0).factory());
        this.io = io;
        this.progress = new ConsoleProgress(out, System::nanoTime);
        StoredFiles files = new StoredFiles(io, rate);
        Expander expander = new Expander(
                new IcebergTableFiles(
                        io, scope.snapshots(), state.liveFiles(), new SymbolicLinks()::locations, manifestReaders),
                state.liveSet(),
                state.knownLocations(),
                state.untouchables(),
                workers,
                progress);
        this.collector = new Collector(state, catalog, scope, expander, files, files, workers, progress, clock);
    }

    PrintWriter out() {
        return out;
    }

    /** Where the state is. */
    Path folder() {
        return state.folder();
    }

    Run latest() {
        return state.runs()
                .latest()
                .orElseThrow(
                        () -> new IllegalArgumentException("There is no run yet: begin with 'gc mark' or 'gc run'"));
    }

    /** Marks in a new run, unless a mark was broken off. */
    Run markAnew() {
        boolean isBrokenOff =
                state.runs().latest().filter(run -> run.markedAt() == null).isPresent();
        return mark(isBrokenOff ? Start.RESUME : Start.NEW);
    }

    Run mark(Start start) {
        out.println("Marking what is live ...");
        Run run = collector.mark(start);
        out.printf(
                Locale.ROOT,
                "Run %d of %s: %,d commits and %,d entries read, %,d live contents.%n",
                run.id(),
                run.startedAt(),
                progress.done(Phase.LOG),
                progress.done(Phase.TREES),
                state.liveSet().count());
        return run;
    }

    Run expand(Run run) {
        out.println("Expanding them to the files that they need ...");
        Run expanded = collector.expand(run);
        out.printf(Locale.ROOT, "%,d files are needed.%n", state.liveFiles().count());
        return expanded;
    }

    /** Sweeps, and gives the exit code. */
    int sweep(Run run, SweepOptions options, Sweeper.Mode mode, Path report) {
        out.println("Looking for files that nothing needs ...");
        SweepSummary summary = collector.sweep(run, options.withSafetyAgeOfAtLeast(leastSafetyAge), mode, report);
        tell(summary.leftAlone());
        tell(summary, Fate.DELETED, "are deleted");
        tell(summary, Fate.WOULD_BE_DELETED, "would be deleted");
        tell(summary, Fate.FAILED, "could not be deleted");
        tell(summary, Fate.KEPT, "turned out to be needed again or to have changed");
        tell(summary, Fate.IN_GRACE, "are unreferenced, and not for long enough yet");
        tell(summary, Fate.TOO_YOUNG, "are unreferenced, and too young");
        if (summary.counts().isEmpty()) {
            out.println(
                    summary.leftAlone().isEmpty()
                            ? "Every file is needed."
                            : "Every file is needed, but for those in the folders that are left alone: nothing is known of them.");
        }
        out.println("Report: " + report);
        boolean isIncomplete = summary.amount(Fate.FAILED).files() > 0
                || summary.leftAlone().stream().anyMatch(folder -> folder.cause() != LeftAlone.Cause.OUTSIDE);
        return isIncomplete ? GcCommand.DONE_IN_PART : GcCommand.DONE;
    }

    private void tell(Iterable<LeftAlone> folders) {
        int told = 0;
        for (LeftAlone folder : folders) {
            if (++told <= LEFT_ALONE_IN_OUTPUT) {
                out.println(printable("Left alone: " + folder.path() + " (" + folder.reason() + ")"));
            }
        }
        if (told > LEFT_ALONE_IN_OUTPUT) {
            out.println("... and " + (told - LEFT_ALONE_IN_OUTPUT) + " more, which are in the report");
        }
    }

    /** Writers choose the names of folders, and a terminal obeys control characters. */
    private static String printable(String text) {
        return text.replaceAll("\\p{Cntrl}", "?");
    }

    private void tell(SweepSummary summary, Fate fate, String words) {
        Amount amount = summary.amount(fate);
        if (amount.files() > 0) {
            out.printf(Locale.ROOT, "%,d files with %,d bytes %s.%n", amount.files(), amount.bytes(), words);
        }
    }

    @Override
    public void close() {
        manifestReaders.shutdownNow();
        try (state;
                io;
                workers) {
            out.flush();
        }
    }
}
