package org.anabranch.bench;

import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.anabranch.bench.load.Round;
import org.anabranch.bench.report.Figure;
import org.anabranch.bench.report.Goal;
import org.anabranch.bench.report.Goals;
import org.anabranch.bench.report.Machine;
import org.anabranch.bench.report.Numbers;
import org.anabranch.bench.report.Report;
import org.anabranch.bench.report.Results;
import org.anabranch.bench.report.Row;
import org.anabranch.bench.report.Setup;
import org.anabranch.bench.server.Product;
import org.anabranch.bench.server.ServerProcess;
import org.anabranch.bench.store.Engine;
import org.anabranch.bench.store.Postgres;
import org.anabranch.bench.store.Storage;
import org.anabranch.bench.workload.Catalog;
import org.anabranch.bench.workload.Loader;
import org.anabranch.bench.workload.RuleFile;
import org.anabranch.bench.workload.Target;
import org.anabranch.bench.workload.Workload;
import org.anabranch.bench.workload.Workloads;
import org.jspecify.annotations.Nullable;

/** One run from its plan to its report. What is measured already is left as it is. */
final class Run {

    private static final List<String> GROUP_WARM_UP = List.of("get-1", "commit-16-writers");
    private static final int SMALL_HEAP_LISTINGS = 5;

    private final Plan plan;
    private final Setup setup;
    private final Jars jars;
    private final Path out;
    private final Path work;
    private final boolean againIfDisturbed;
    private final List<String> fixedHeap;
    private final PrintStream console = System.out;

    Run(Plan plan, Setup setup, Jars jars, Path out, Path work, boolean againIfDisturbed) {
        this.plan = plan;
        this.setup = setup;
        this.jars = jars;
        this.out = out;
        this.work = work;
        this.againIfDisturbed = againIfDisturbed;
        this.fixedHeap = List.of("-Xms" + setup.heap(), "-Xmx" + setup.heap());
    }

    /** Writes the report of what is there; the exit code. */
    int report() {
        Results results = Results.open(out, setup);
        return finish(results);
    }

    /** Measures, with a PostgreSQL of its own if one is needed; the exit code. */
    int measure() {
        if (!plan.engines().contains(Engine.POSTGRESQL)) {
            return measureWith(null);
        }
        try (Postgres postgres = Postgres.start(work.resolve("postgres"))) {
            return measureWith(postgres);
        }
    }

    /** Measures with a PostgreSQL that runs elsewhere; the exit code. */
    int measureOn(String url, String user, @Nullable String password) {
        try (Postgres postgres = Postgres.external(url, user, password == null ? "" : password)) {
            return measureWith(postgres);
        }
    }

    private int measureWith(@Nullable Postgres postgres) {
        products().forEach(jars::require);
        Results results = Results.open(out, setup);
        Machine machine = Machine.describe(Clock.systemUTC().instant(), postgres == null ? "" : postgres.describe());
        results.beginOn(machine);
        Progress progress = new Progress(console, plan.estimate());
        progress.say("results go to " + out + ", load average " + machine.loadAverageAtStart());
        if (machine.loadAverageAtStart() > 1) {
            console.println("           the machine is busy: rows that others disturb are marked");
        }
        Stores stores = new Stores(work, jars, postgres, fixedHeap, plan.historyCommits());
        for (Engine engine : plan.engines()) {
            for (int tables : plan.sizes()) {
                try {
                    measureGroup(engine, tables, stores, postgres, results, progress);
                } catch (RuntimeException e) {
                    console.println("           " + engine + ", " + tables + " tables: " + Failures.inALine(e));
                }
                Report.write(results, meanings());
            }
            try {
                measureMemory(engine, stores, results, progress);
            } catch (RuntimeException e) {
                console.println("           memory of " + engine + ": " + Failures.inALine(e));
            }
        }
        return finish(results);
    }

    private List<Product> products() {
        return plan.withPeer() ? List.of(Product.ANABRANCH, Product.NESSIE) : List.of(Product.ANABRANCH);
    }

    /** Those whose rates are measured: rules change nothing of what is stored. */
    private List<Product> contestants() {
        List<Product> contestants = new ArrayList<>(products());
        if (plan.withRules()) {
            contestants.add(Product.RULED);
        }
        return contestants;
    }

    private void measureGroup(
            Engine engine, int tables, Stores stores, @Nullable Postgres postgres, Results results, Progress progress) {
        List<Workload> missing = plan.workloads(tables).stream()
                .filter(workload -> !measured(results, engine, tables, workload.name()))
                .toList();
        Duration perRow = plan.perRow();
        Duration there = perRow.multipliedBy(plan.workloads(tables).size() - missing.size());
        if (missing.isEmpty()) {
            progress.done(plan.perGroup(tables).plus(there), engine + ", " + tables + " tables: all rows are there");
            return;
        }
        List<ServerProcess> open = new ArrayList<>();
        List<Storage> copies = new ArrayList<>();
        try {
            Group group = new Group(engine, tables, plan, postgres);
            for (Product product : contestants()) {
                Storage copy = stores.copyOf(product, engine, tables, results);
                copies.add(copy);
                ServerProcess server = start(product, copy, engine, options(product, tables));
                open.add(server);
                group.add(product, server, target(product, server, engine, tables));
            }
            if (missing.stream().anyMatch(workload -> Group.hasEmptyEndpoint(engine, workload))) {
                ServerProcess server = start(Product.EMPTY, new Storage.InMemory(), engine, fixedHeap);
                open.add(server);
                group.add(Product.EMPTY, server, Target.empty(Product.EMPTY, server.port(), new Catalog(tables)));
            }
            for (String name : GROUP_WARM_UP) {
                Workloads.all().stream()
                        .filter(workload -> workload.name().equals(name))
                        .forEach(
                                workload -> group.warmUp(workload, plan.warmUp().multipliedBy(2)));
            }
            progress.done(plan.perGroup(tables).plus(there), engine + ", " + tables + " tables: loaded and warm");
            for (Workload workload : missing) {
                Optional<Postgres.RowSizes> rawRows = group.hasRawClient(workload)
                        ? Optional.of(postgres.rowSizes(((Storage.Database) copies.getFirst()).name()))
                        : Optional.empty();
                progress.done(perRow, measureRow(group, workload, rawRows, results));
            }
        } finally {
            open.forEach(ServerProcess::close);
            copies.forEach(stores::discard);
        }
    }

    /** What is told of a row; one that fails is left out, and the ones behind it are measured. */
    private static String measureRow(
            Group group, Workload workload, Optional<Postgres.RowSizes> rawRows, Results results) {
        try {
            Row row = group.measure(workload, rawRows);
            results.add(row);
            return describe(row);
        } catch (RuntimeException e) {
            return workload.name() + " failed: " + Failures.inALine(e);
        }
    }

    private boolean measured(Results results, Engine engine, int tables, String workload) {
        return results.row(engine.toString(), tables, workload)
                .filter(row -> row.has(Row.OURS) && (!plan.withPeer() || row.has(Row.PEER)))
                .filter(row -> !plan.withRules() || row.has(Row.RULED))
                .filter(row -> !againIfDisturbed || !row.disturbed())
                .isPresent();
    }

    private List<String> options(Product product, int tables) {
        if (product != Product.RULED) {
            return fixedHeap;
        }
        Path rules = RuleFile.write(work.resolve("rules.yaml"), new Catalog(tables));
        return Stream.concat(
                        fixedHeap.stream(),
                        Stream.of("-Danabranch.authorization.type=rules", "-Danabranch.authorization.rules=" + rules))
                .toList();
    }

    private ServerProcess start(Product product, Storage storage, Engine engine, List<String> options) {
        return ServerProcess.start(
                product,
                jars.of(product),
                storage,
                options,
                work.resolve("logs").resolve(product + "-" + engine + ".log"));
    }

    private static Target target(Product product, ServerProcess server, Engine engine, int tables) {
        Catalog catalog = new Catalog(tables);
        if (engine == Engine.MEMORY) {
            Loader.loadUntimed(Target.empty(product, server.port(), catalog));
        }
        return Target.holding(product, server.port(), catalog);
    }

    /** Resident memory in a heap that grows by need, and what is answered in a small one. */
    private void measureMemory(Engine engine, Stores stores, Results results, Progress progress) {
        int tables = plan.largestSize();
        for (Product product : products()) {
            if (results.figure(engine.toString(), tables, Figure.LOADED_MEGABYTES, product.toString())
                    .isPresent()) {
                continue;
            }
            Storage copy = stores.copyOf(product, engine, tables, results);
            try (ServerProcess server = start(product, copy, engine, List.of("-Xmx" + setup.heap()))) {
                double idle = server.residentBytes() / 1e6;
                Target target = target(product, server, engine, tables);
                double loaded = MemoryLoad.run(target, server, plan.round().multipliedBy(plan.rounds()));
                add(results, engine, tables, Figure.IDLE_MEGABYTES, product, idle);
                add(results, engine, tables, Figure.LOADED_MEGABYTES, product, loaded);
                progress.say(engine + ", " + tables + " tables, " + product + ": resident " + Numbers.shortly(idle)
                        + " MB idle, " + Numbers.shortly(loaded) + " MB after the load");
            } finally {
                stores.discard(copy);
            }
        }
        if (results.figure(engine.toString(), tables, Figure.SMALL_HEAP_LISTINGS, Row.OURS)
                .isEmpty()) {
            Storage copy = stores.copyOf(Product.ANABRANCH, engine, tables, results);
            int listings = 0;
            try (ServerProcess server = start(Product.ANABRANCH, copy, engine, List.of("-Xmx256m"))) {
                target(Product.ANABRANCH, server, engine, tables);
                for (; listings < SMALL_HEAP_LISTINGS; listings++) {
                    Target.holding(Product.ANABRANCH, server.port(), new Catalog(tables));
                }
            } finally {
                add(results, engine, tables, Figure.SMALL_HEAP_LISTINGS, Product.ANABRANCH, listings);
                stores.discard(copy);
            }
            progress.say(engine + ", " + tables + " tables: " + listings + " listings within 256 MB");
        }
    }

    private static void add(Results results, Engine engine, int tables, String name, Product product, double value) {
        results.add(new Figure(engine.toString(), tables, name, product.toString(), value));
    }

    private static String describe(Row row) {
        StringBuilder line = new StringBuilder(row.engine() + ", " + row.tables() + " tables, " + row.workload() + ":");
        row.rounds().stream()
                .map(Round::contestant)
                .distinct()
                .forEach(contestant -> line.append(' ')
                        .append(contestant)
                        .append(' ')
                        .append(Numbers.shortly(row.spread(contestant, Round::rate)
                                .orElseThrow()
                                .median()))
                        .append("/s"));
        row.ratio(Row.OURS, Row.PEER).ifPresent(ratio -> line.append(", × ").append(Numbers.shortly(ratio.median())));
        if (row.disturbed()) {
            line.append(", disturbed by other programs");
        }
        if (row.errors() > 0) {
            line.append(", ").append(row.errors()).append(" errors: ").append(row.firstError());
        }
        return line.toString();
    }

    private static Map<String, String> meanings() {
        Map<String, String> meanings = new LinkedHashMap<>();
        Workloads.all()
                .forEach(workload ->
                        meanings.put(workload.name(), workload.what() + "; connections: " + workload.connections()));
        return meanings;
    }

    /** Writes the report, prints the goals, and judges whether the run is whole. */
    private int finish(Results results) {
        Report.write(results, meanings());
        Goals.of(results).stream()
                .filter(goal -> goal.measured().isPresent())
                .map(Goal::line)
                .forEach(console::println);
        List<String> faults = new ArrayList<>();
        for (Engine engine : plan.engines()) {
            for (int tables : plan.sizes()) {
                for (Workload workload : plan.workloads(tables)) {
                    String name = engine + ", " + tables + " tables, " + workload.name();
                    results.row(engine.toString(), tables, workload.name())
                            .ifPresentOrElse(
                                    row -> {
                                        if (row.errors() > 0) {
                                            faults.add(name + ": " + row.errors() + " errors: " + row.firstError());
                                        }
                                    },
                                    () -> faults.add(name + ": not measured"));
                }
            }
            for (Product product : products()) {
                if (results.figure(engine.toString(), plan.largestSize(), Figure.LOADED_MEGABYTES, product.toString())
                        .isEmpty()) {
                    faults.add(engine + ", resident memory of " + product + ": not measured");
                }
            }
        }
        faults.forEach(console::println);
        console.println(results.folder().resolve("table.md"));
        return faults.isEmpty() ? 0 : 1;
    }
}
