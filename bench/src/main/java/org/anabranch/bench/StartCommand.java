package org.anabranch.bench;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.anabranch.bench.http.Connection;
import org.anabranch.bench.report.Spread;
import org.anabranch.bench.server.Product;
import org.anabranch.bench.server.ServerProcess;
import org.anabranch.bench.store.Folders;
import org.anabranch.bench.store.Storage;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * Measures how long a start takes until the first answer from an empty embedded store, and how much memory is resident some time
 * after it. Anabranch runs from its distribution with the start-up cache, by its launcher and as it comes; Nessie is its jar as it comes.
 * The servers take turns, one at a time.
 */
@Command(
        name = "anabranch bench start",
        description = "Measures the start to the first answer, and resident memory idle, side by side with Nessie.",
        sortOptions = false,
        mixinStandardHelpOptions = true)
final class StartCommand implements Callable<Integer> {

    private static final double LARGEST_TIME = 1 / 3.0;
    private static final double LARGEST_MEMORY = 1 / 2.0;
    private static final List<Product> PRODUCTS = List.of(Product.ANABRANCH, Product.NESSIE);

    @Spec
    private @Nullable CommandSpec spec;

    @Option(names = "--rounds", paramLabel = "N", description = "starts of each server (7)")
    private int rounds = 7;

    @Option(
            names = "--idle",
            paramLabel = "S",
            description = "seconds from the first answer to the look at memory (10)")
    private int idleSeconds = 10;

    /** One start. */
    private record Start(double millis, double megabytes) {}

    /** Returns 0 when Anabranch needs a third of the other's time at most, and half of its memory; else 1. */
    @Override
    public Integer call() throws Exception {
        if (rounds < 1) {
            throw new ParameterException(
                    spec.commandLine(), "Invalid value for option '--rounds': " + rounds + " is below 1");
        }
        Path project = Path.of(System.getProperty("bench.project", "."));
        Jars jars = new Jars(project);
        jars.require(Product.NESSIE);
        Path work = Files.createDirectories(project.resolve("bench/target/start"));
        Path distribution = unpack(project.resolve("distribution/target"), work);
        PrintWriter out = spec.commandLine().getOut();
        Map<Product, List<Start>> starts = new EnumMap<>(Product.class);
        for (int round = 1; round <= rounds; round++) {
            for (Product product : PRODUCTS) {
                Start start = measure(product, distribution, jars, work);
                starts.computeIfAbsent(product, none -> new ArrayList<>()).add(start);
                out.printf(
                        Locale.ROOT,
                        "round %d, %s: %.0f ms to the first answer, %.0f MB resident%n",
                        round,
                        product,
                        start.millis(),
                        start.megabytes());
                out.flush();
            }
        }
        boolean isFast = report("start to the first answer, ms", starts, Start::millis, LARGEST_TIME);
        boolean isSmall = report("resident memory idle, MB", starts, Start::megabytes, LARGEST_MEMORY);
        return isFast && isSmall ? 0 : 1;
    }

    /** The newest archive there, unpacked anew and prepared. */
    private static Path unpack(Path folder, Path work) throws IOException, InterruptedException {
        Path archive;
        try (Stream<Path> files = Files.exists(folder) ? Files.list(folder) : Stream.empty()) {
            archive = files.filter(file -> file.toString().endsWith(".tar.gz"))
                    .max(Comparator.comparingLong(file -> file.toFile().lastModified()))
                    .orElseThrow(
                            () -> new IllegalStateException("there is no distribution; ./anabranch dist builds it"));
        }
        Path unpacked = work.resolve("distribution");
        Folders.delete(unpacked);
        Files.createDirectories(unpacked);
        run(List.of("tar", "-xzf", archive.toString(), "-C", unpacked.toString(), "--strip-components=1"));
        run(List.of(unpacked.resolve("anabranch").toString(), "prepare"));
        return unpacked;
    }

    private static void run(List<String> command) throws IOException, InterruptedException {
        int status = new ProcessBuilder(command).inheritIO().start().waitFor();
        if (status != 0) {
            throw new IllegalStateException(String.join(" ", command) + " ended with status " + status);
        }
    }

    private Start measure(Product product, Path distribution, Jars jars, Path work)
            throws IOException, InterruptedException {
        Path store = work.resolve("store");
        Folders.delete(store);
        Files.createDirectories(store);
        Storage storage = new Storage.Folder(store);
        Path log = work.resolve(product + ".log");
        long startedAt = System.nanoTime();
        try (ServerProcess server = product == Product.ANABRANCH
                        ? ServerProcess.startInstalled(distribution, storage, log)
                        : ServerProcess.start(product, jars.of(product), storage, List.of(), log);
                Connection connection = new Connection(server.port())) {
            if (!connection.get("/api/v2/trees/main").ok()) {
                throw new IllegalStateException(product + " does not have its branch; its log is " + log);
            }
            double millis = (System.nanoTime() - startedAt) / 1e6;
            TimeUnit.SECONDS.sleep(idleSeconds);
            return new Start(millis, server.residentBytes() / 1e6);
        }
    }

    private boolean report(
            String title, Map<Product, List<Start>> starts, ToDoubleFunction<Start> figure, double largestRatio) {
        Map<Product, Spread> spreads = new EnumMap<>(Product.class);
        starts.forEach((product, all) -> spreads.put(
                product,
                Spread.of(all.stream().map(figure::applyAsDouble).toList()).orElseThrow()));
        double ratio = spreads.get(Product.ANABRANCH).median()
                / spreads.get(Product.NESSIE).median();
        PrintWriter out = spec.commandLine().getOut();
        out.printf(Locale.ROOT, "%n%s (median, smallest to largest of %d):%n", title, rounds);
        spreads.forEach((product, spread) -> out.printf(
                Locale.ROOT, "  %-10s %6.0f   %.0f to %.0f%n", product, spread.median(), spread.min(), spread.max()));
        out.printf(
                Locale.ROOT,
                "  ratio %.2f, and %.2f is the goal: %s%n",
                ratio,
                largestRatio,
                ratio <= largestRatio ? "reached" : "missed");
        out.flush();
        return ratio <= largestRatio;
    }
}
