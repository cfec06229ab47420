package org.anabranch.gc.scale;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.anabranch.gc.Progress;
import org.anabranch.gc.Workers;
import org.anabranch.gc.expand.Expander;
import org.anabranch.gc.expand.IcebergTableFiles;
import org.anabranch.gc.expand.SnapshotScope;
import org.anabranch.gc.policy.CutoffPolicies;
import org.anabranch.gc.run.Collector;
import org.anabranch.gc.run.Collector.Start;
import org.anabranch.gc.run.Scope;
import org.anabranch.gc.run.Scope.UnfilteredReads;
import org.anabranch.gc.state.Runs.Run;
import org.anabranch.gc.state.StateFolder;
import org.anabranch.gc.storage.LakeFileIO;
import org.anabranch.gc.storage.RequestRate;
import org.anabranch.gc.storage.StoredFiles;
import org.anabranch.gc.storage.SymbolicLinks;
import org.anabranch.gc.sweep.Reach;
import org.anabranch.gc.sweep.SweepOptions;
import org.anabranch.gc.sweep.SweepSummary;
import org.anabranch.gc.sweep.Sweeper.Mode;
import org.anabranch.gc.sweep.Warehouse;
import org.anabranch.scale.SmallHeap;
import org.apache.iceberg.io.DelegateFileIO;

/** Collects one large lake in a JVM of its own, and prints what that took. */
final class ScaleRun {

    /** The columns of what is printed. */
    static final String COLUMNS =
            "lake,live,orphans,seconds_to_mark_and_expand,seconds_to_list,seconds_to_list_and_delete,"
                    + "heap_peak_mb,process_peak_mb,state_mb";

    private static final int FILES_PER_TABLE = 20_000;
    private static final Duration PERIOD = Duration.ofDays(3);
    private static final Instant LONG_AGO = Instant.parse("2026-01-01T00:00:00Z");
    private static final Instant FIRST_RUN = Instant.parse("2026-06-01T00:00:00Z");
    private static final Instant SECOND_RUN = FIRST_RUN.plus(PERIOD).plusSeconds(1);

    private final Path folder;
    private final int tables;
    private final int live;
    private final int orphans;
    /** Of the last run: to mark and expand, and to sweep. */
    private double[] seconds = {};

    /** @param live files that tables need, beside their metadata; these and the orphans are spread evenly over the tables */
    private ScaleRun(Path folder, int live, int orphans) {
        this.folder = folder;
        this.tables = Math.max(1, live / FILES_PER_TABLE);
        this.live = live / tables;
        this.orphans = orphans / tables;
    }

    /**
     * Runs.
     *
     * @param args {@code generated} or {@code disk}, the number of live files, that of orphans, and an empty folder
     */
    public static void main(String[] args) throws IOException {
        ScaleRun run = new ScaleRun(Path.of(args[3]), Integer.parseInt(args[1]), Integer.parseInt(args[2]));
        System.out.println(args[0] + "," + (args[0].equals("disk") ? run.onDisk() : run.generated()));
    }

    private String generated() {
        GeneratedLake lake = new GeneratedLake(folder.resolve("lake"), tables, live, orphans, LONG_AGO.toEpochMilli());
        List<String> metadata = new ArrayList<>();
        for (int table = 0; table < tables; table++) {
            metadata.add(lake.writeTable(table));
        }
        String measured = collect(lake, GeneratedLake.WAREHOUSE, metadata);
        require(lake.deletedOrphans() == tables * orphans, lake.deletedOrphans() + " orphans are gone");
        require(lake.deletedLiveFiles() == 0, lake.deletedLiveFiles() + " live files are gone");
        return measured;
    }

    private String onDisk() throws IOException {
        LakeFileIO io = new LakeFileIO(Map.of(), RequestRate.unlimited());
        Path warehouse = folder.resolve("lake");
        List<String> metadata = new ArrayList<>();
        for (int table = 0; table < tables; table++) {
            Path data =
                    Files.createDirectories(warehouse.resolve("table" + table).resolve("data"));
            for (int file = 0; file < live + orphans; file++) {
                Path path = Files.writeString(data.resolve("file-" + file + ".parquet"), "rows");
                Files.setLastModifiedTime(path, FileTime.from(LONG_AGO));
            }
            metadata.add(TableWriter.write(
                    io, "file:" + data.getParent(), live, file -> "file:" + data + "/file-" + file + ".parquet"));
        }
        String measured = collect(io, warehouse.toString(), metadata);
        for (int table = 0; table < tables; table++) {
            Path data = warehouse.resolve("table" + table).resolve("data");
            for (int file = 0; file < live + orphans; file++) {
                Path path = data.resolve("file-" + file + ".parquet");
                require(Files.exists(path) == file < live, path + (file < live ? " is gone" : " is there"));
            }
        }
        return measured;
    }

    /** Two runs, a grace period apart. */
    private String collect(DelegateFileIO io, String warehouse, List<String> metadata) {
        GeneratedCatalog catalog = new GeneratedCatalog(tables, 1, 0, (table, version) -> metadata.get(table));
        SweepSummary first = run(catalog, io, warehouse, FIRST_RUN);
        require(first.amount(SweepSummary.Fate.DELETED).files() == 0, "the first run deleted files");
        double[] firstSeconds = seconds;
        SweepSummary second = run(catalog, io, warehouse, SECOND_RUN);
        require(
                second.amount(SweepSummary.Fate.DELETED).files() == (long) tables * orphans,
                "the second run ended with " + second);
        return String.format(
                Locale.ROOT,
                "%d,%d,%.1f,%.1f,%.1f,%d,%d,%d",
                tables * live,
                tables * orphans,
                seconds[0],
                firstSeconds[1],
                seconds[1],
                SmallHeap.peakHeapBytes() >> 20,
                SmallHeap.peakProcessBytes() >> 20,
                stateBytes() >> 20);
    }

    private SweepSummary run(GeneratedCatalog catalog, DelegateFileIO io, String warehouse, Instant now) {
        StoredFiles files = new StoredFiles(io, RequestRate.unlimited());
        SymbolicLinks links = new SymbolicLinks();
        Scope scope =
                new Scope(CutoffPolicies.KEEP_EVERYTHING, List.of(), SnapshotScope.ALL, UnfilteredReads.SAID_BY_SERVER);
        ExecutorService manifestReaders = Executors.newFixedThreadPool(2);
        try (StateFolder state = StateFolder.open(folder.resolve("state"), catalog.repository());
                Workers workers = new Workers(2)) {
            Expander expander = new Expander(
                    new IcebergTableFiles(io, SnapshotScope.ALL, state.liveFiles(), links::locations, manifestReaders),
                    state.liveSet(),
                    state.knownLocations(),
                    state.untouchables(),
                    workers,
                    Progress.NONE);
            Collector collector =
                    new Collector(state, catalog, scope, expander, files, files, workers, Progress.NONE, () -> now);
            long start = System.nanoTime();
            Run run = collector.expand(collector.mark(Start.NEW));
            long expanded = System.nanoTime();
            SweepSummary summary = collector.sweep(
                    run,
                    new SweepOptions(
                            List.of(new Warehouse(warehouse)),
                            Reach.KNOWN_LOCATIONS,
                            PERIOD,
                            PERIOD,
                            Duration.ZERO,
                            1000),
                    Mode.DELETE,
                    folder.resolve("report.jsonl"));
            seconds = new double[] {(expanded - start) / 1e9, (System.nanoTime() - expanded) / 1e9};
            return summary;
        } finally {
            manifestReaders.shutdown();
        }
    }

    private static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new IllegalStateException(otherwise);
        }
    }

    private long stateBytes() {
        try (Stream<Path> files = Files.list(folder.resolve("state"))) {
            return files.mapToLong(file -> file.toFile().length()).sum();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
