package org.anabranch.bench.report;

import static org.anabranch.bench.report.Row.OURS;
import static org.anabranch.bench.report.Row.PEER;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import org.anabranch.bench.load.Round;

/** The results of a run as files to read: {@code table.md}, {@code rows.csv} and {@code ratios.svg}. */
public final class Report {

    private static final Comparator<Row> ORDER =
            Comparator.comparing(Row::engine).thenComparing(Row::tables);

    private final Results results;
    private final Map<String, String> meanings;

    private Report(Results results, Map<String, String> meanings) {
        this.results = results;
        this.meanings = meanings;
    }

    /**
     * Writes the files anew.
     *
     * @param meanings what one operation of each workload is
     */
    public static void write(Results results, Map<String, String> meanings) {
        Report report = new Report(results, meanings);
        Path folder = results.folder();
        try {
            Files.writeString(folder.resolve("table.md"), report.markdown());
            Files.writeString(folder.resolve("rows.csv"), report.csv());
            Files.writeString(folder.resolve("ratios.svg"), RatioPlot.draw(report.sortedRows()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private List<Row> sortedRows() {
        return results.rows().stream().sorted(ORDER).toList();
    }

    private String markdown() {
        List<String> lines = new ArrayList<>();
        Setup setup = results.setup();
        lines.add("# Anabranch and Nessie 0.99.0, measured side by side");
        lines.add("");
        lines.add("Anabranch " + setup.revision() + ", " + setup.rounds() + " alternating rounds of "
                + Numbers.shortly(setup.seconds()) + " s after " + Numbers.shortly(setup.warmUpSeconds())
                + " s of warming up, heap " + setup.heap() + " for each server, load generator on the same machine.");
        for (Machine machine : results.machines()) {
            lines.add("- " + machine.startedAt() + ": " + machine.processors() + " processors (" + machine.processor()
                    + "), " + Numbers.shortly(machine.memoryGigabytes()) + " GB, " + machine.system() + ", JDK "
                    + machine.jdk() + ", load average at the start " + machine.loadAverageAtStart()
                    + (machine.database().isEmpty() ? "" : ", " + machine.database()));
        }
        lines.add("");
        goals(lines);
        rows(lines);
        figures(lines);
        return String.join("\n", lines) + "\n";
    }

    private void goals(List<String> lines) {
        lines.add("## Goals");
        lines.add("");
        lines.add("| what | goal | measured | reached |");
        lines.add("|---|---|---|---|");
        for (Goal goal : Goals.of(results)) {
            lines.add("| " + goal.what() + " | " + goal.boundText() + " | " + goal.measuredText() + " | "
                    + (goal.measured().isEmpty() ? "" : goal.reached() ? "yes" : "**no**") + " |");
        }
        lines.add("");
    }

    private void rows(List<String> lines) {
        lines.add("## Rates and latencies");
        lines.add("");
        lines.add(
                "Medians over the rounds; in parentheses smallest and largest. The ratio is that of pairs of rounds, above 1"
                        + " when Anabranch is faster. Processor time is the server's, + the database's, per operation. Refused: 409,"
                        + " 429 and 503. * marks rows that other programs disturbed.");
        String engine = "";
        int tables = 0;
        for (Row row : sortedRows()) {
            if (!row.engine().equals(engine) || row.tables() != tables) {
                engine = row.engine();
                tables = row.tables();
                lines.add("");
                lines.add("### " + engine + ", " + String.format(Locale.ROOT, "%,d", tables) + " tables");
                lines.add("");
                lines.add(
                        "| workload | contestant | per second | ratio | p50 ms | p99 ms | max ms | CPU µs | refused |");
                lines.add("|---|---|---|---|---|---|---|---|---|");
            }
            List<String> contestants =
                    row.rounds().stream().map(Round::contestant).distinct().toList();
            for (String contestant : contestants) {
                lines.add(line(row, contestant));
            }
        }
        lines.add("");
        meanings.forEach((name, meaning) -> lines.add("- `" + name + "`: " + meaning));
        lines.add("");
    }

    private static String line(Row row, String contestant) {
        String ratio = contestant.equals(OURS)
                ? ""
                : row.ratio(OURS, contestant).map(Report::withSpread).orElse("");
        double database = median(row, contestant, Round::databaseCpuMicros);
        return "| "
                + String.join(
                        " | ",
                        row.workload() + (row.disturbed() ? " *" : ""),
                        contestant,
                        row.spread(contestant, Round::rate)
                                .map(Report::withSpread)
                                .orElse(""),
                        ratio,
                        Numbers.shortly(median(row, contestant, Round::p50Millis)),
                        Numbers.shortly(median(row, contestant, Round::p99Millis)),
                        Numbers.shortly(row.spread(contestant, Round::maxMillis)
                                .orElseThrow()
                                .max()),
                        Numbers.shortly(median(row, contestant, Round::serverCpuMicros))
                                + (database > 0 ? " + " + Numbers.shortly(database) : ""),
                        row.conflicts(contestant) == 0 ? "" : Long.toString(row.conflicts(contestant)))
                + " |";
    }

    private void figures(List<String> lines) {
        lines.add("## Storage, loading and memory");
        lines.add("");
        lines.add("| store | tables | what | anabranch | nessie | anabranch over nessie |");
        lines.add("|---|---|---|---|---|---|");
        results.figures().stream()
                .filter(figure -> figure.contestant().equals(OURS))
                .sorted(Comparator.comparing(Figure::engine)
                        .thenComparing(Figure::tables)
                        .thenComparing(Figure::name))
                .forEach(ours -> {
                    Optional<Double> theirs = results.figure(ours.engine(), ours.tables(), ours.name(), PEER);
                    lines.add("| "
                            + String.join(
                                    " | ",
                                    ours.engine(),
                                    String.format(Locale.ROOT, "%,d", ours.tables()),
                                    ours.name(),
                                    Numbers.shortly(ours.value()),
                                    theirs.map(Numbers::shortly).orElse(""),
                                    theirs.map(value -> Numbers.shortly(ours.value() / value))
                                            .orElse(""))
                            + " |");
                });
    }

    private String csv() {
        List<String> lines = new ArrayList<>();
        lines.add(
                "store,tables,workload,contestant,round,per_second,operations,conflicts,refusals,errors,p50_ms,p99_ms,"
                        + "max_ms,server_cpu_us,database_cpu_us,generator_cpu_us,resident_mb,foreign_share");
        for (Row row : sortedRows()) {
            int number = 0;
            for (Round round : row.rounds()) {
                lines.add(String.format(
                        Locale.ROOT,
                        "%s,%d,%s,%s,%d,%.3f,%d,%d,%d,%d,%.3f,%.3f,%.3f,%.1f,%.1f,%.1f,%.0f,%.3f",
                        row.engine(),
                        row.tables(),
                        row.workload(),
                        round.contestant(),
                        ++number,
                        round.rate(),
                        round.operations(),
                        round.conflicts(),
                        round.refusals(),
                        round.errors(),
                        round.p50Millis(),
                        round.p99Millis(),
                        round.maxMillis(),
                        round.serverCpuMicros(),
                        round.databaseCpuMicros(),
                        round.generatorCpuMicros(),
                        round.residentMegabytes(),
                        round.foreignShare()));
            }
        }
        return String.join("\n", lines) + "\n";
    }

    private static double median(Row row, String contestant, ToDoubleFunction<Round> figure) {
        return row.spread(contestant, figure).orElseThrow().median();
    }

    private static String withSpread(Spread spread) {
        return Numbers.shortly(spread.median()) + " (" + Numbers.shortly(spread.min()) + "–"
                + Numbers.shortly(spread.max()) + ")";
    }
}
