package org.anabranch.cli.gc.laws;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.anabranch.api.client.ApiClient;
import org.anabranch.api.client.ApiOptions;
import org.anabranch.api.client.Pace;
import org.anabranch.gc.Progress;
import org.anabranch.gc.Workers;
import org.anabranch.gc.api.ApiCatalogSource;
import org.anabranch.gc.expand.Expander;
import org.anabranch.gc.expand.IcebergTableFiles;
import org.anabranch.gc.expand.SnapshotScope;
import org.anabranch.gc.policy.PolicyFile;
import org.anabranch.gc.run.Collector;
import org.anabranch.gc.run.Collector.Start;
import org.anabranch.gc.run.Scope;
import org.anabranch.gc.run.Scope.UnfilteredReads;
import org.anabranch.gc.state.Runs.Run;
import org.anabranch.gc.state.StateFolder;
import org.anabranch.gc.storage.RequestRate;
import org.anabranch.gc.storage.StoredFiles;
import org.anabranch.gc.storage.SymbolicLinks;
import org.anabranch.gc.sweep.SweepOptions;
import org.anabranch.gc.sweep.SweepSummary;
import org.anabranch.gc.sweep.Sweeper.Mode;
import org.anabranch.model.CommitId;
import org.apache.iceberg.io.DelegateFileIO;

/**
 * The collector on one lake, as the command puts it together; every call opens the state folder anew, as a process of its own
 * would.
 *
 * @param api base of the catalog's API
 * @param storage of the lake
 * @param scope what counts as live
 * @param state the state folder
 */
record TestCollector(
        URI api,
        DelegateFileIO storage,
        Scope scope,
        Path state,
        SweepOptions options,
        int parallelism,
        InstantSource clock) {

    /** Few, so that faults end steps and what was broken off is gone on with; still, some requests are sent again. */
    private static final int ATTEMPTS = 2;

    /** What these rules mean to the collector, by way of a policy file. */
    static Scope scope(LiveRules rules, Path policyFile) throws IOException {
        Files.writeString(policyFile, rules.cutoffs().toYaml());
        return new Scope(
                PolicyFile.read(policyFile),
                rules.pins().stream().map(CommitId::parse).toList(),
                SnapshotScope.valueOf(rules.snapshots().name()),
                UnfilteredReads.ASSERTED);
    }

    /** Work on an open collector. */
    interface Work<T> {
        T with(Collector collector);
    }

    /** Marks, in a new run or on with the last one. */
    Run mark(Start start) {
        return open(collector -> collector.mark(start));
    }

    /** Marks and expands, on with the last run. */
    Run expand() {
        return open(collector -> collector.expand(collector.mark(Start.RESUME)));
    }

    /** All three steps, in a new run or on with the last one. */
    SweepSummary run(Start start) {
        return open(collector -> collector.sweep(
                collector.expand(collector.mark(start)), options, Mode.DELETE, state.resolve("report.jsonl")));
    }

    /** The latest run; empty before the first. */
    Optional<Run> latest() {
        try (StateFolder folder = StateFolder.openExisting(state)) {
            return folder.runs().latest();
        }
    }

    private <T> T open(Work<T> work) {
        ApiOptions asking = new ApiOptions(api, Map.of(), 0, ATTEMPTS, Duration.ofMinutes(2));
        ApiCatalogSource catalog = new ApiCatalogSource(new ApiClient(asking, new NoPace(), clock));
        StoredFiles files = new StoredFiles(storage, RequestRate.unlimited());
        SymbolicLinks links = new SymbolicLinks();
        try (StateFolder folder = StateFolder.open(state, "the only one");
                Workers workers = new Workers(parallelism);
                ExecutorService manifestReaders = Executors.newFixedThreadPool(parallelism)) {
            Expander expander = new Expander(
                    new IcebergTableFiles(
                            storage, scope.snapshots(), folder.liveFiles(), links::locations, manifestReaders),
                    folder.liveSet(),
                    folder.knownLocations(),
                    folder.untouchables(),
                    workers,
                    Progress.NONE);
            return work.with(
                    new Collector(folder, catalog, scope, expander, files, files, workers, Progress.NONE, clock));
        }
    }

    /** There is nothing to wait for. */
    private static final class NoPace implements Pace {
        @Override
        public long nanos() {
            return 0;
        }

        @Override
        public void pause(Duration duration) {}
    }
}
