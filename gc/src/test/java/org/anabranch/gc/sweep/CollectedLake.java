package org.anabranch.gc.sweep;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import org.anabranch.gc.FileDeleter;
import org.anabranch.gc.FileInventory;
import org.anabranch.gc.Progress;
import org.anabranch.gc.StoredFile;
import org.anabranch.gc.Workers;
import org.anabranch.gc.expand.Expander;
import org.anabranch.gc.expand.IcebergTableFiles;
import org.anabranch.gc.expand.SnapshotScope;
import org.anabranch.gc.policy.CutoffPolicies;
import org.anabranch.gc.policy.CutoffPolicy;
import org.anabranch.gc.run.Collector;
import org.anabranch.gc.run.Collector.Start;
import org.anabranch.gc.run.Scope;
import org.anabranch.gc.run.Scope.UnfilteredReads;
import org.anabranch.gc.state.Runs.Run;
import org.anabranch.gc.state.StateFolder;
import org.anabranch.gc.storage.RequestRate;
import org.anabranch.gc.storage.StoredFiles;
import org.anabranch.gc.storage.SymbolicLinks;
import org.anabranch.testing.CatalogInMemory;
import org.anabranch.testing.CountingFileIO;
import org.apache.iceberg.io.DelegateFileIO;

/** A lake, its catalog and what the collector remembers; each run begins a day after the one before. */
final class CollectedLake implements AutoCloseable {

    private final Path folder;
    private final CatalogInMemory catalog;
    private final CountingFileIO io;
    private final StoredFiles storage;
    private final Workers workers = new Workers(2);
    private final ExecutorService manifestReaders = Executors.newFixedThreadPool(2);
    private StateFolder state;

    /** The options of the next runs. */
    List<Warehouse> warehouses;

    Reach reach = Reach.KNOWN_LOCATIONS;
    Duration grace = Duration.ofHours(20);
    Duration safetyAge = Duration.ZERO;
    Duration clockMargin = Duration.ZERO;
    int batchSize = 10;

    /** The cutoff of every reference. */
    String cutoff = "NONE";

    UnfilteredReads unfilteredReads = UnfilteredReads.SAID_BY_SERVER;

    /** Done before references are read for the mark. */
    Runnable beforeMarking = () -> {};

    /** Done before references are read again. */
    Runnable beforeLookingAgain = () -> {};

    /** Done with the path of each folder that is about to be listed. */
    Consumer<String> beforeListing = path -> {};

    /** Done with the path of each file that is looked at again. */
    Consumer<String> beforeFinding = path -> {};

    /** Done with what is about to be deleted. */
    Consumer<Collection<StoredFile>> beforeDeleting = files -> {};

    /** The time at which the latest run began; files are written in the hour before the first. */
    Instant now = Instant.now().truncatedTo(ChronoUnit.MILLIS).plus(Duration.ofHours(1));

    /** The folders that were listed. */
    final List<String> listed = new ArrayList<>();

    CollectedLake(Path folder, CatalogInMemory catalog, DelegateFileIO io, String... warehouses) {
        this.folder = folder;
        this.catalog = catalog;
        this.io = new CountingFileIO(io);
        this.storage = new StoredFiles(this.io, RequestRate.unlimited());
        this.warehouses = List.of(warehouses).stream().map(Warehouse::new).toList();
        this.state = StateFolder.open(folder, catalog.repository());
    }

    CountingFileIO io() {
        return io;
    }

    StateFolder state() {
        return state;
    }

    /** Marks, expands and sweeps. */
    SweepSummary run() {
        return run(Sweeper.Mode.DELETE);
    }

    SweepSummary run(Sweeper.Mode mode) {
        now = now.plus(Duration.ofDays(1));
        return run(Start.NEW, mode);
    }

    /** Goes on with the latest run, as after the end of the process. */
    SweepSummary resumeInANewProcess() {
        return resumeInANewProcess(Sweeper.Mode.DELETE);
    }

    SweepSummary resumeInANewProcess(Sweeper.Mode mode) {
        state.close();
        state = StateFolder.open(folder, catalog.repository());
        return run(Start.RESUME, mode);
    }

    private SweepSummary run(Start start, Sweeper.Mode mode) {
        CutoffPolicies.ByName cutoffs = new CutoffPolicies.ByName(List.of(), CutoffPolicy.parse(cutoff));
        Scope scope = new Scope(new CutoffPolicies(cutoffs, cutoffs), List.of(), SnapshotScope.ALL, unfilteredReads);
        Expander expander = new Expander(
                new IcebergTableFiles(
                        io, SnapshotScope.ALL, state.liveFiles(), new SymbolicLinks()::locations, manifestReaders),
                state.liveSet(),
                state.knownLocations(),
                state.untouchables(),
                workers,
                Progress.NONE);
        Collector collector = new Collector(
                state, catalog, scope, expander, inventory(), deleter(), workers, Progress.NONE, () -> now);
        catalog.setBeforeReferences(beforeMarking);
        Run run = collector.expand(collector.mark(start));
        catalog.setBeforeReferences(beforeLookingAgain);
        return collector.sweep(
                run,
                new SweepOptions(warehouses, reach, grace, safetyAge, clockMargin, batchSize),
                mode,
                folder.resolve("report.jsonl"));
    }

    private FileInventory inventory() {
        return new FileInventory() {
            @Override
            public void list(String path, Consumer<StoredFile> files) {
                synchronized (listed) {
                    listed.add(path);
                }
                beforeListing.accept(path);
                storage.list(path, files);
            }

            @Override
            public Optional<StoredFile> find(String path) {
                beforeFinding.accept(path);
                return storage.find(path);
            }

            @Override
            public String withoutLinks(String path) {
                return storage.withoutLinks(path);
            }
        };
    }

    private FileDeleter deleter() {
        return files -> {
            beforeDeleting.accept(files);
            return storage.delete(files);
        };
    }

    /** The lines of the report with this event. */
    List<JsonNode> reported(String event) {
        try {
            List<JsonNode> lines = new ArrayList<>();
            for (String line : Files.readAllLines(folder.resolve("report.jsonl"))) {
                var json = new ObjectMapper().readTree(line);
                if (json.get("event").asText().equals(event)) {
                    lines.add(json);
                }
            }
            return lines;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        state.close();
        workers.close();
        manifestReaders.shutdownNow();
    }
}
