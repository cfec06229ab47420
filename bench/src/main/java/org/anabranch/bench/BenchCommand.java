package org.anabranch.bench;

import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.LocalDate;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import org.anabranch.bench.report.Setup;
import org.anabranch.bench.store.Engine;
import org.anabranch.bench.workload.Workload;
import org.anabranch.bench.workload.Workloads;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options of a run. */
@Command(
        name = "anabranch bench",
        description =
                "Measures the catalog under load, alone or side by side with Nessie. Runs that were broken off go on"
                        + " where they were. bench/README.md says what is measured and how to read it.",
        sortOptions = false,
        usageHelpAutoWidth = true)
final class BenchCommand implements Callable<Integer> {

    private static final String HEAP = "2g";

    @Spec
    private @Nullable CommandSpec spec;

    @Option(names = "--peer", description = "also measure Nessie 0.99.0, round by round in turn")
    private boolean peer;

    @Option(
            names = "--rules",
            description = "also measure the service with 1,000 rules of authorization in force, round by round in turn")
    private boolean rules;

    @Option(names = "--quick", description = "10,000 tables only, fewer and shorter rounds: ten minutes")
    private boolean quick;

    @Option(
            names = "--smoke",
            description = "200 tables, one short round: whether everything runs; figures mean nothing")
    private boolean smoke;

    @Option(
            names = "--only",
            split = ",",
            paramLabel = "ROW",
            description = "these workloads only: ${COMPLETION-CANDIDATES}",
            completionCandidates = Names.class)
    private List<String> only = List.of();

    @Option(
            names = "--stores",
            split = ",",
            paramLabel = "STORE",
            description = "of memory, embedded, postgresql (embedded,postgresql)")
    private List<Engine> engines = List.of(Engine.EMBEDDED, Engine.POSTGRESQL);

    @Option(names = "--sizes", split = ",", paramLabel = "N", description = "tables in the catalog (1000,10000,100000)")
    private List<Integer> sizes = List.of();

    @Option(names = "--rounds", paramLabel = "N", description = "rounds per row and server (5)")
    private @Nullable Integer rounds;

    @Option(names = "--seconds", paramLabel = "S", description = "length of a round (2)")
    private @Nullable Double seconds;

    @Option(names = "--warm-up", paramLabel = "S", description = "warming up before a row, per server (2)")
    private @Nullable Double warmUp;

    @Option(
            names = "--out",
            paramLabel = "FOLDER",
            description = "where the results go, and go on (bench/results/TODAY)")
    private @Nullable Path out;

    @Option(
            names = "--work",
            paramLabel = "FOLDER",
            description = "for catalogs, databases and logs; catalogs are kept to be used again (bench/target/work)")
    private @Nullable Path work;

    @Option(names = "--again-if-disturbed", description = "measure rows again that other programs disturbed")
    private boolean againIfDisturbed;

    @Option(
            names = "--postgres-url",
            paramLabel = "URL",
            description = "a running server, such as jdbc:postgresql://host/, instead of one that is started")
    private @Nullable String postgresUrl;

    @Option(names = "--postgres-user", paramLabel = "NAME", description = "who may create databases there (postgres)")
    private String postgresUser = "postgres";

    @Option(
            names = "--postgres-password",
            paramLabel = "TEXT",
            description = "of that user; or in the variable PGPASSWORD")
    private @Nullable String postgresPassword;

    @Option(
            names = "--report-only",
            description = "write the tables and the plot of what was measured, measure nothing")
    private boolean reportOnly;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "this page")
    private boolean help;

    /** The names of all workloads. */
    static final class Names extends TreeSet<String> {
        private static final long serialVersionUID = 1;

        Names() {
            Workloads.all().forEach(workload -> add(workload.name()));
        }
    }

    @Override
    public Integer call() {
        Path project = Path.of(System.getProperty("bench.project", "."));
        Jars jars = new Jars(project);
        Plan plan = plan();
        Setup setup = new Setup(
                System.getProperty("bench.revision", "unknown"),
                jars.serviceDigest(),
                plan.rounds(),
                plan.round().toMillis() / 1e3,
                plan.warmUp().toMillis() / 1e3,
                HEAP);
        Path results = out != null
                ? out
                : project.resolve("bench/results")
                        .resolve(LocalDate.now(Clock.systemDefaultZone()) + (smoke ? "-smoke" : quick ? "-quick" : ""));
        Run run = new Run(
                plan,
                setup,
                jars,
                results.toAbsolutePath().normalize(),
                (work != null ? work : project.resolve("bench/target/work"))
                        .toAbsolutePath()
                        .normalize(),
                againIfDisturbed);
        if (reportOnly) {
            return run.report();
        }
        return postgresUrl == null
                ? run.measure()
                : run.measureOn(
                        postgresUrl,
                        postgresUser,
                        postgresPassword != null ? postgresPassword : System.getenv("PGPASSWORD"));
    }

    private Plan plan() {
        Set<String> names = new Names();
        for (String name : only) {
            if (!names.contains(name)) {
                throw invalid("--only", "'" + name + "' is none of " + names);
            }
        }
        List<Workload> workloads = Workloads.all().stream()
                .filter(workload -> only.isEmpty() || only.contains(workload.name()))
                .toList();
        List<Integer> defaultSizes = smoke ? List.of(200) : quick ? List.of(10_000) : List.of(1_000, 10_000, 100_000);
        List<Integer> chosen = sizes.isEmpty() ? defaultSizes : List.copyOf(new TreeSet<>(sizes));
        if (chosen.getFirst() < 200) {
            throw invalid("--sizes", chosen.getFirst() + " is below 200");
        }
        if (rounds != null && rounds < 1) {
            throw invalid("--rounds", rounds + " is below 1");
        }
        return new Plan(
                engines,
                chosen,
                workloads,
                rounds != null ? rounds : smoke ? 1 : quick ? 3 : 5,
                duration("--seconds", seconds, smoke ? 0.2 : quick ? 1 : 2),
                duration("--warm-up", warmUp, smoke ? 0.2 : quick ? 0.8 : 2),
                smoke ? 50 : 1_000,
                peer,
                rules);
    }

    private Duration duration(String option, @Nullable Double seconds, double otherwise) {
        if (seconds != null && !(seconds >= 0)) {
            throw invalid(option, seconds + " is below 0");
        }
        return Duration.ofMillis((long) (1_000 * (seconds != null ? seconds : otherwise)));
    }

    private ParameterException invalid(String option, String why) {
        return new ParameterException(spec.commandLine(), "Invalid value for option '" + option + "': " + why);
    }
}
