package org.anabranch.gc.state;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The runs of the collector with the times of their steps. Only the latest one has a live set and can go on. */
public final class Runs {

    static final List<String> TABLES =
            List.of("CREATE TABLE repository (one INTEGER PRIMARY KEY CHECK (one = 1), name TEXT NOT NULL)", """
            CREATE TABLE run (
                id INTEGER PRIMARY KEY AUTOINCREMENT, started_at_micros INTEGER NOT NULL, policies TEXT NOT NULL,
                marked_at_micros INTEGER, expanded_at_micros INTEGER, swept_at_micros INTEGER)""");

    /** What belongs to the latest run alone, and is emptied when the next one begins. */
    private static final List<String> OF_THE_LATEST_RUN = List.of(
            "marked_reference",
            "live_commit",
            "anchor",
            "tree_entry",
            "live_pointer",
            "live_file",
            "index_file",
            "unreadable",
            "untouchable",
            "listed_folder");

    private final Database database;

    Runs(Database database) {
        this.database = database;
    }

    /** A step of a run, in the order in which they come. */
    public enum Step {
        MARK("marked_at_micros"),
        EXPAND("expanded_at_micros"),
        SWEEP("swept_at_micros");

        private final String column;

        Step(String column) {
            this.column = column;
        }
    }

    /**
     * A run.
     *
     * @param startedAt before its first read of the catalog; durations of cutoffs count back from here
     * @param policies the cutoffs in one text, by which a run is recognised as the same
     * @param markedAt when its mark was complete; null before. Likewise the others
     */
    public record Run(
            long id,
            Instant startedAt,
            String policies,
            @Nullable Instant markedAt,
            @Nullable Instant expandedAt,
            @Nullable Instant sweptAt) {}

    /** The latest run; empty in a new folder. */
    public Optional<Run> latest() {
        return database.lookUp(connection -> {
            try (PreparedStatement query = connection.prepareStatement("SELECT * FROM run ORDER BY id DESC LIMIT 1");
                    ResultSet rows = query.executeQuery()) {
                return rows.next() ? Optional.of(run(rows)) : Optional.<Run>empty();
            }
        });
    }

    /** Begins a run, and forgets the live set of the one before. */
    public Run begin(Instant now, String policies) {
        Instant startedAt = now.truncatedTo(ChronoUnit.MICROS);
        return database.write(connection -> {
            for (String table : OF_THE_LATEST_RUN) {
                update(connection, "DELETE FROM " + table);
            }
            try (PreparedStatement insert = connection.prepareStatement(
                    "INSERT INTO run (started_at_micros, policies) VALUES (?, ?) RETURNING id")) {
                insert.setLong(1, Micros.of(startedAt));
                insert.setString(2, policies);
                try (ResultSet id = insert.executeQuery()) {
                    return new Run(id.getLong(1), startedAt, policies, null, null, null);
                }
            }
        });
    }

    /** Records that a step is complete; a repeat moves the time. Gives the run as it is then. */
    public Run complete(Run run, Step step, Instant now) {
        return database.write(connection -> {
            try (PreparedStatement update =
                    connection.prepareStatement("UPDATE run SET " + step.column + " = ? WHERE id = ? RETURNING *")) {
                update.setLong(1, Micros.of(now));
                update.setLong(2, run.id());
                try (ResultSet row = update.executeQuery()) {
                    return run(row);
                }
            }
        });
    }

    /** @throws UnusableStateException if the folder was first used for another repository */
    void requireRepository(String repository, Path folder) {
        String known = database.write(connection -> {
            try (PreparedStatement insert =
                            connection.prepareStatement("INSERT OR IGNORE INTO repository VALUES (1, ?)");
                    PreparedStatement query = connection.prepareStatement("SELECT name FROM repository")) {
                insert.setString(1, repository);
                insert.executeUpdate();
                try (ResultSet row = query.executeQuery()) {
                    return row.getString(1);
                }
            }
        });
        if (!known.equals(repository)) {
            throw new UnusableStateException(
                    "The state folder " + folder + " is of the repository " + known + ", and this one is " + repository
                            + ". Give each repository a folder of its own with --state.",
                    null);
        }
    }

    private static Run run(ResultSet row) throws SQLException {
        return new Run(
                row.getLong("id"),
                Micros.instant(row.getLong("started_at_micros")),
                row.getString("policies"),
                instant(row, Step.MARK),
                instant(row, Step.EXPAND),
                instant(row, Step.SWEEP));
    }

    private static @Nullable Instant instant(ResultSet row, Step step) throws SQLException {
        long micros = row.getLong(step.column);
        return row.wasNull() ? null : Micros.instant(micros);
    }

    private static void update(Connection connection, String sql) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.executeUpdate();
        }
    }
}
