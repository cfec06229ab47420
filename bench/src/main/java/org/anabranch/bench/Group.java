package org.anabranch.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.anabranch.bench.load.ClosedLoop;
import org.anabranch.bench.load.Meters;
import org.anabranch.bench.load.Round;
import org.anabranch.bench.load.Worker;
import org.anabranch.bench.report.Goals;
import org.anabranch.bench.report.Row;
import org.anabranch.bench.server.Product;
import org.anabranch.bench.server.ServerProcess;
import org.anabranch.bench.store.Engine;
import org.anabranch.bench.store.Postgres;
import org.anabranch.bench.store.RawClient;
import org.anabranch.bench.workload.Target;
import org.anabranch.bench.workload.Workload;
import org.jspecify.annotations.Nullable;

/** Servers that run side by side over the same catalog on one kind of store, and the rows measured on them. */
final class Group {

    private static final String EMPTY_ENDPOINT_ROW = "get-1";
    private static final String RAW_CLIENT_ROW = "commit-16-writers";
    private static final int RAW_CLIENT_TABLES = 10_000;
    private static final String RAW_DATABASE = "run_raw";

    private final Engine engine;
    private final int tables;
    private final Plan plan;
    private final @Nullable Postgres postgres;
    private final Map<Product, ServerProcess> servers = new EnumMap<>(Product.class);
    private final Map<Product, Target> targets = new EnumMap<>(Product.class);

    Group(Engine engine, int tables, Plan plan, @Nullable Postgres postgres) {
        this.engine = engine;
        this.tables = tables;
        this.plan = plan;
        this.postgres = postgres;
    }

    /** Takes a server into the group; its catalog is there, unless it is the endpoint that has none. */
    void add(Product product, ServerProcess server, Target target) {
        servers.put(product, server);
        targets.put(product, target);
    }

    /** Runs a workload for a while on each server that has a catalog, and forgets the figures. */
    void warmUp(Workload workload, Duration duration) {
        for (Contestant contestant : contestants(workload, Optional.empty())) {
            contestant.run(duration, 0);
        }
    }

    /**
     * Measures one row: every contestant warms up, then they take turns.
     *
     * @param rawRows sizes of rows, for the client without a catalog; absent where it does not take part
     */
    Row measure(Workload workload, Optional<Postgres.RowSizes> rawRows) {
        targets.forEach((product, target) -> {
            if (product != Product.EMPTY) {
                prepare(workload, target);
            }
        });
        if (engine == Engine.POSTGRESQL) {
            postgres.checkpoint();
        }
        List<Contestant> contestants = contestants(workload, rawRows);
        contestants.forEach(contestant -> contestant.run(plan.warmUp(), 0));
        List<Round> rounds = new ArrayList<>();
        for (int round = 1; round <= plan.rounds(); round++) {
            for (Contestant contestant : contestants) {
                rounds.add(contestant.run(plan.round(), round));
            }
        }
        return new Row(engine.toString(), tables, workload.name(), rounds);
    }

    private static void prepare(Workload workload, Target target) {
        try {
            workload.preparation().prepare(target);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Whether the client without a catalog takes part in a row. */
    boolean hasRawClient(Workload workload) {
        return engine == Engine.POSTGRESQL
                && workload.name().equals(RAW_CLIENT_ROW)
                && (tables == RAW_CLIENT_TABLES || tables == plan.largestSize() && tables < RAW_CLIENT_TABLES);
    }

    /** Whether an endpoint that does nothing takes part in a row. */
    static boolean hasEmptyEndpoint(Engine engine, Workload workload) {
        return engine == Engine.EMBEDDED && workload.name().equals(EMPTY_ENDPOINT_ROW);
    }

    private interface WorkerFactory {
        Worker make(int index, long seed) throws IOException;
    }

    private record Contestant(String name, int connections, WorkerFactory workers, Meters meters) {

        Round run(Duration duration, int round) {
            try {
                List<Worker> made = new ArrayList<>();
                for (int index = 0; index < connections; index++) {
                    made.add(workers.make(index, 1_000L * round + index));
                }
                return ClosedLoop.run(name, made, duration, meters);
            } catch (IOException e) {
                throw new UncheckedIOException(name + ": " + e.getMessage(), e);
            }
        }
    }

    private List<Contestant> contestants(Workload workload, Optional<Postgres.RowSizes> rawRows) {
        List<Contestant> contestants = new ArrayList<>();
        servers.forEach((product, server) -> {
            if (product != Product.EMPTY || hasEmptyEndpoint(engine, workload)) {
                contestants.add(new Contestant(
                        product == Product.EMPTY ? Goals.EMPTY_ENDPOINT : product.toString(),
                        workload.connections(),
                        (index, seed) -> workload.worker(targets.get(product), index, seed),
                        new Meters(server::cpuNanos, this::databaseCpuNanos, server::residentBytes)));
            }
        });
        if (rawRows.isPresent()) {
            postgres.drop(RAW_DATABASE);
            postgres.create(RAW_DATABASE);
            RawClient.createTables(postgres, RAW_DATABASE);
            contestants.add(new Contestant(
                    Goals.RAW_CLIENT,
                    workload.connections(),
                    (index, seed) -> new RawClient(postgres, RAW_DATABASE, rawRows.get()),
                    new Meters(() -> 0, this::databaseCpuNanos, () -> 0)));
        }
        return contestants;
    }

    private long databaseCpuNanos() {
        return engine == Engine.POSTGRESQL ? postgres.cpuNanos() : 0;
    }
}
