package org.anabranch.gc.sweep;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.anabranch.gc.FileDeleter;
import org.anabranch.gc.FileDeleter.Failure;
import org.anabranch.gc.FileInventory;
import org.anabranch.gc.FileLocation;
import org.anabranch.gc.LivenessCheck;
import org.anabranch.gc.Progress;
import org.anabranch.gc.StoredFile;
import org.anabranch.gc.Workers;
import org.anabranch.gc.expand.Expander;
import org.anabranch.gc.state.Runs.Run;
import org.anabranch.gc.state.StateFolder;
import org.anabranch.gc.state.UnreferencedFiles.Unreferenced;
import org.anabranch.gc.state.Untouchables.Untouchable;
import org.anabranch.gc.sweep.SweepSummary.Amount;
import org.anabranch.gc.sweep.SweepSummary.Fate;

/**
 * Deletes what nothing live needs.
 *
 * <ol>
 *   <li>List the folders of the {@link SweepArea}. Record each file that is not among the live ones, and forget those recorded earlier
 *       that this run did not see so. A folder that turns out to hold a {@link ForeignTable} is left alone from then on.
 *   <li>Of the recorded ones take those that are ripe by {@link Ripeness}, batch by batch.
 *   <li>Look at each file of a batch again: one that was written since starts anew.
 *   <li>Then read all references again, mark what moved or appeared and expand it, and judge the folders anew. What is needed now,
 *       or must be left alone now, is kept.
 *   <li>Tell the report, delete the rest of the batch, tell the report how that went.
 * </ol>
 *
 * <p>May be ended anywhere and begun again in the same run: folders that were listed to their end are not listed again, and a
 * file that is gone already counts as deleted.
 */
public final class Sweeper {

    private static final int LISTED_AT_ONCE = 1000;

    /** Of references, before a batch: in a busy catalog some move during each. */
    private static final int MOST_READINGS = 3;

    private final StateFolder state;
    private final FileInventory inventory;
    private final FileDeleter deleter;
    private final LivenessCheck liveness;
    private final Expander expander;
    private final Workers workers;
    private final Progress progress;
    private final InstantSource clock;

    public Sweeper(
            StateFolder state,
            FileInventory inventory,
            FileDeleter deleter,
            LivenessCheck liveness,
            Expander expander,
            Workers workers,
            Progress progress,
            InstantSource clock) {
        this.state = state;
        this.inventory = inventory;
        this.deleter = deleter;
        this.liveness = liveness;
        this.expander = expander;
        this.workers = workers;
        this.progress = progress;
        this.clock = clock;
    }

    /** Whether files go. */
    public enum Mode {
        /** Files are recorded as unreferenced, so that their grace period runs, and none goes. */
        DRY_RUN,
        DELETE
    }

    /**
     * Sweeps for a run whose mark and expansion are complete.
     *
     * @param report is appended to
     * @throws org.anabranch.gc.CatalogUnreadableException if a reference cannot be read before a batch: the batches before are gone, and
     *     no more
     */
    public SweepSummary sweep(Run run, SweepOptions options, Mode mode, Path report) {
        if (run.markedAt() == null || run.expandedAt() == null) {
            throw new IllegalArgumentException("Run " + run.id() + " is not marked and expanded yet");
        }
        try (SweepReport lines = SweepReport.append(report, run.id())) {
            return new OneSweep(run, run.expandedAt(), options, report, lines).run(mode);
        }
    }

    private SweepArea area(SweepOptions options, Path report) {
        List<Untouchable> untouchables = new ArrayList<>(state.untouchables().folders());
        for (Warehouse warehouse : options.warehouses()) {
            Stream.of(state.folder(), report)
                    .flatMap(own -> asListed(own, warehouse).stream())
                    .forEach(path -> untouchables.add(new Untouchable(path, "it is the collector's own")));
        }
        if (options.reach() == Reach.WHOLE_WAREHOUSE) {
            state.untouchables().unlocated().stream()
                    .findFirst()
                    .ifPresent(file -> options.warehouses()
                            .forEach(warehouse -> untouchables.add(new Untouchable(
                                    warehouse.path(),
                                    "the metadata " + file.path() + " of a live content is not readable ("
                                            + file.reason() + "), and nothing else tells where its files lie"))));
        }
        return SweepArea.of(
                state.knownLocations().claims(),
                untouchables,
                options.warehouses(),
                options.reach(),
                inventory::withoutLinks);
    }

    /**
     * The location by which a listing of a warehouse shows a file or folder of this program, whatever links lead to either; empty
     * if it lies elsewhere.
     */
    private Optional<String> asListed(Path own, Warehouse warehouse) {
        FileLocation real;
        try {
            real = FileLocation.parse(own.toRealPath().toString());
        } catch (IOException e) {
            throw new UncheckedIOException("Where " + own + " lies cannot be told", e);
        }
        FileLocation around = FileLocation.parse(inventory.withoutLinks(warehouse.path()));
        return real.isWithin(around)
                ? Optional.of(warehouse.location() + "/"
                        + real.value().substring(around.value().length()))
                : Optional.empty();
    }

    private final class OneSweep {

        private final Run run;
        private final Instant completeAt;
        private final SweepOptions options;
        private final Path reportFile;
        private final SweepReport report;
        private final Map<Fate, Amount> counts = new EnumMap<>(Fate.class);
        private final List<LeftAlone> unlisted = Collections.synchronizedList(new ArrayList<>());
        private final Set<ForeignTable> foreign = ConcurrentHashMap.newKeySet();
        private SweepArea area;
        private long ripeInAll;

        OneSweep(Run run, Instant completeAt, SweepOptions options, Path reportFile, SweepReport report) {
            this.run = run;
            this.completeAt = completeAt;
            this.options = options;
            this.reportFile = reportFile;
            this.report = report;
            this.area = area(options, reportFile);
        }

        SweepSummary run(Mode mode) {
            report.unreadable(clock.instant(), state.untouchables().files());
            report.leftAlone(clock.instant(), area.leftAlone());
            workers.forEach(area.folders(), this::list);
            report.leftAlone(clock.instant(), unlisted);
            if (!foreign.isEmpty()) {
                List<LeftAlone> told = area.leftAlone();
                area = area(options, reportFile);
                report.leftAlone(
                        clock.instant(),
                        area.leftAlone().stream()
                                .filter(folder -> !told.contains(folder))
                                .toList());
            }
            state.unreferencedFiles().forgetUnseen(run);
            judgeAll(mode);
            List<LeftAlone> leftAlone = new ArrayList<>(area.leftAlone());
            leftAlone.addAll(unlisted);
            return new SweepSummary(counts, leftAlone);
        }

        private void list(String folder) {
            if (state.unreferencedFiles().isListed(folder)) {
                return;
            }
            List<StoredFile> files = new ArrayList<>(LISTED_AT_ONCE);
            try {
                inventory.list(folder, file -> {
                    files.add(file);
                    if (files.size() == LISTED_AT_ONCE) {
                        see(files);
                    }
                });
            } catch (UncheckedIOException e) {
                unlisted.add(new LeftAlone(folder, LeftAlone.Cause.UNLISTED, e.getMessage()));
                return;
            }
            see(files);
            state.unreferencedFiles().listed(folder);
        }

        /**
         * Records the unneeded ones of listed files, and forgets the list. Of what was written since the run began its mark says
         * nothing: the next one's will.
         */
        private void see(List<StoredFile> files) {
            List<StoredFile> inArea = files.stream()
                    .filter(file -> area.refusal(file.path()).isEmpty())
                    .toList();
            inArea.forEach(file -> ForeignTable.of(file.path())
                    .filter(foreign::add)
                    .ifPresent(table -> state.untouchables().addForeign(table.metadataFolder(), table.kind())));
            Instant judged = run.startedAt().minus(options.clockMargin());
            Map<Boolean, List<StoredFile>> unneeded = state.liveFiles().unneeded(inArea).stream()
                    .collect(Collectors.partitioningBy(file -> file.modifiedAt().isBefore(judged)));
            state.unreferencedFiles().see(run, completeAt, unneeded.get(true));
            countFiles(Fate.TOO_YOUNG, unneeded.get(false));
            progress.made(Progress.Phase.LIST, files.size(), 0);
            files.clear();
        }

        private void judgeAll(Mode mode) {
            Ripeness ripeness = new Ripeness(run, options);
            ripeInAll =
                    state.unreferencedFiles().count(run, run.startedAt().minus(options.grace()), ripeness.youngest());
            List<Unreferenced> ripe = new ArrayList<>();
            List<Unreferenced> some = state.unreferencedFiles().seen(run, "", LISTED_AT_ONCE);
            while (!some.isEmpty()) {
                for (Unreferenced file : some) {
                    // Begun with other options, the run may have seen more than these allow.
                    if (area.refusal(file.file().path()).isPresent()) {
                        continue;
                    }
                    switch (ripeness.of(file)) {
                        case IN_GRACE -> count(Fate.IN_GRACE, List.of(file));
                        case TOO_YOUNG -> count(Fate.TOO_YOUNG, List.of(file));
                        case RIPE -> ripe.add(file);
                    }
                    if (ripe.size() == options.batchSize()) {
                        handle(ripe, mode);
                    }
                }
                some = state.unreferencedFiles()
                        .seen(run, some.get(some.size() - 1).file().path(), LISTED_AT_ONCE);
            }
            handle(ripe, mode);
        }

        /** Deletes a batch, or says so, and empties it. */
        private void handle(List<Unreferenced> batch, Mode mode) {
            if (!batch.isEmpty()) {
                switch (mode) {
                    case DRY_RUN -> {
                        report.announced(clock.instant(), "would-delete", batch);
                        count(Fate.WOULD_BE_DELETED, batch);
                    }
                    case DELETE -> delete(stillUnneeded(unchanged(batch)));
                }
                batch.clear();
            }
        }

        /** Somebody may have written a file of the same name since it was listed, in this process or in one before. */
        private List<Unreferenced> unchanged(List<Unreferenced> batch) {
            Set<String> changed = ConcurrentHashMap.newKeySet();
            Map<String, Failure> unseen = new ConcurrentHashMap<>();
            workers.forEach(batch, each -> {
                StoredFile file = each.file();
                try {
                    Optional<StoredFile> now = inventory.find(file.path());
                    if (now.isPresent() && !isSame(file, now.get())) {
                        changed.add(file.path());
                    }
                } catch (UncheckedIOException e) {
                    unseen.put(file.path(), new Failure(file, String.valueOf(e.getMessage())));
                }
            });
            List<Unreferenced> rewritten = batch.stream()
                    .filter(file -> changed.contains(file.file().path()))
                    .toList();
            report.kept(clock.instant(), "changed", rewritten);
            count(Fate.KEPT, rewritten);
            forget(rewritten);
            report.failed(clock.instant(), unseen.values());
            countFiles(Fate.FAILED, unseen.values().stream().map(Failure::file).toList());
            return batch.stream()
                    .filter(file -> !changed.contains(file.file().path())
                            && !unseen.containsKey(file.file().path()))
                    .toList();
        }

        private static boolean isSame(StoredFile then, StoredFile now) {
            // The state keeps microseconds.
            return then.bytes() == now.bytes()
                    && then.modifiedAt().equals(now.modifiedAt().truncatedTo(ChronoUnit.MICROS));
        }

        private List<Unreferenced> stillUnneeded(List<Unreferenced> batch) {
            // What moves while others are expanded is looked at too, unless there is no end of it.
            for (int reading = 1;
                    reading <= MOST_READINGS && !liveness.markAgain().isEmpty();
                    reading++) {
                expander.expandLive();
                area = area(options, reportFile);
            }
            Set<StoredFile> unneeded =
                    state
                            .liveFiles()
                            .unneeded(batch.stream().map(Unreferenced::file).toList())
                            .stream()
                            .filter(file -> area.refusal(file.path()).isEmpty())
                            .collect(Collectors.toSet());
            Map<Boolean, List<Unreferenced>> parts =
                    batch.stream().collect(Collectors.partitioningBy(file -> unneeded.contains(file.file())));
            List<Unreferenced> needed = parts.get(false);
            report.kept(clock.instant(), "needed-again", needed);
            count(Fate.KEPT, needed);
            forget(needed);
            return parts.get(true);
        }

        private void delete(List<Unreferenced> batch) {
            if (batch.isEmpty()) {
                return;
            }
            report.announced(clock.instant(), "deleting", batch);
            List<Failure> failures =
                    deleter.delete(batch.stream().map(Unreferenced::file).toList());
            Set<StoredFile> failed = failures.stream().map(Failure::file).collect(Collectors.toSet());
            Map<Boolean, List<Unreferenced>> parts =
                    batch.stream().collect(Collectors.partitioningBy(file -> failed.contains(file.file())));
            report.failed(clock.instant(), failures);
            report.deleted(clock.instant(), parts.get(false));
            count(Fate.FAILED, parts.get(true));
            count(Fate.DELETED, parts.get(false));
            forget(parts.get(false));
            progress.made(Progress.Phase.DELETE, batch.size(), ripeInAll);
        }

        private void forget(List<Unreferenced> files) {
            state.unreferencedFiles()
                    .forget(files.stream().map(file -> file.file().path()).toList());
        }

        private void count(Fate fate, List<Unreferenced> files) {
            countFiles(fate, files.stream().map(Unreferenced::file).toList());
        }

        private synchronized void countFiles(Fate fate, List<StoredFile> files) {
            if (!files.isEmpty()) {
                long bytes = files.stream().mapToLong(StoredFile::bytes).sum();
                counts.merge(fate, new Amount(files.size(), bytes), Amount::plus);
            }
        }
    }
}
