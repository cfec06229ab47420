package org.anabranch.bench.report;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What a run has measured, in one folder: each row and figure is written when it is finished, so a run that was
 * broken off goes on where it was. For one thread.
 */
public final class Results {

    private static final ObjectMapper JSON = new ObjectMapper();

    private final Path folder;
    private final List<Row> rows = new ArrayList<>();
    private final List<Figure> figures = new ArrayList<>();
    private final Setup setup;
    private final List<Machine> machines = new ArrayList<>();

    private Results(Path folder, Setup setup) {
        this.folder = folder;
        this.setup = setup;
    }

    /**
     * Opens a folder with what is there, or makes it.
     *
     * @throws IllegalStateException what is there was measured in another way or of another build
     */
    public static Results open(Path folder, Setup setup) {
        Results results = new Results(folder, setup);
        try {
            Files.createDirectories(folder);
            Path file = folder.resolve("setup.json");
            if (Files.exists(file)) {
                Setup before = JSON.readValue(file.toFile(), Setup.class);
                if (!before.equals(setup)) {
                    throw new IllegalStateException("the results in " + folder + " are of another set-up: " + before
                            + " and not " + setup + "; name another folder with --out");
                }
            } else {
                JSON.writerWithDefaultPrettyPrinter().writeValue(file.toFile(), setup);
            }
            results.machines.addAll(read(folder.resolve("machine.jsonl"), Machine.class));
            results.rows.addAll(read(folder.resolve("rows.jsonl"), Row.class));
            results.figures.addAll(read(folder.resolve("figures.jsonl"), Figure.class));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return results;
    }

    private static <T> List<T> read(Path file, Class<T> type) throws IOException {
        List<T> values = new ArrayList<>();
        if (Files.exists(file)) {
            for (String line : Files.readAllLines(file)) {
                values.add(JSON.readValue(line, type));
            }
        }
        return values;
    }

    /** Notes that a run begins, or goes on, on a machine. */
    public void beginOn(Machine machine) {
        machines.add(machine);
        append("machine.jsonl", machine);
    }

    public void add(Row row) {
        rows.removeIf(old -> sameRow(old, row));
        rows.add(row);
        write("rows.jsonl", rows);
    }

    public void add(Figure figure) {
        figures.removeIf(old -> sameFigure(old, figure));
        figures.add(figure);
        write("figures.jsonl", figures);
    }

    public Optional<Row> row(String engine, int tables, String workload) {
        return rows.stream()
                .filter(row -> row.engine().equals(engine)
                        && row.tables() == tables
                        && row.workload().equals(workload))
                .findFirst();
    }

    public Optional<Double> figure(String engine, int tables, String name, String contestant) {
        return figures.stream()
                .filter(figure -> figure.engine().equals(engine)
                        && figure.tables() == tables
                        && figure.name().equals(name)
                        && figure.contestant().equals(contestant))
                .map(Figure::value)
                .findFirst();
    }

    public List<Row> rows() {
        return List.copyOf(rows);
    }

    public List<Figure> figures() {
        return List.copyOf(figures);
    }

    public List<Machine> machines() {
        return List.copyOf(machines);
    }

    public Setup setup() {
        return setup;
    }

    public Path folder() {
        return folder;
    }

    private static boolean sameRow(Row one, Row other) {
        return one.engine().equals(other.engine())
                && one.tables() == other.tables()
                && one.workload().equals(other.workload());
    }

    private static boolean sameFigure(Figure one, Figure other) {
        return one.engine().equals(other.engine())
                && one.tables() == other.tables()
                && one.name().equals(other.name())
                && one.contestant().equals(other.contestant());
    }

    private void append(String name, Object value) {
        try {
            Files.writeString(folder.resolve(name), line(value), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void write(String name, List<?> values) {
        try {
            StringBuilder text = new StringBuilder();
            for (Object value : values) {
                text.append(line(value));
            }
            Path fresh = folder.resolve(name + ".new");
            Files.writeString(fresh, text);
            Files.move(fresh, folder.resolve(name), StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String line(Object value) throws IOException {
        return JSON.writer().without(SerializationFeature.INDENT_OUTPUT).writeValueAsString(value) + "\n";
    }
}
