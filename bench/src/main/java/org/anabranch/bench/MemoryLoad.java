package org.anabranch.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.anabranch.bench.load.ClosedLoop;
import org.anabranch.bench.load.Meters;
import org.anabranch.bench.load.Worker;
import org.anabranch.bench.server.ServerProcess;
import org.anabranch.bench.workload.Target;
import org.anabranch.bench.workload.Workload;
import org.anabranch.bench.workload.Workloads;

/** The load after which resident memory is looked at: reads, commits and whole listings, each for the same time. */
final class MemoryLoad {

    private static final List<String> WORKLOADS = List.of("get-1", "get-50", "commit-16-writers", "list-all");

    private MemoryLoad() {}

    /** Resident megabytes of the server afterwards. */
    static double run(Target target, ServerProcess server, Duration each) {
        for (Workload workload : Workloads.all()) {
            if (WORKLOADS.contains(workload.name())) {
                List<Worker> workers = new ArrayList<>();
                for (int index = 0; index < workload.connections(); index++) {
                    try {
                        workers.add(workload.worker(target, index, index));
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                }
                ClosedLoop.run(workload.name(), workers, each, Meters.NONE);
            }
        }
        return server.residentBytes() / 1e6;
    }
}
