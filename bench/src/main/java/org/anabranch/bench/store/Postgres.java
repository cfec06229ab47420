package org.anabranch.bench.store;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.anabranch.bench.load.Processes;
import org.jspecify.annotations.Nullable;

/** A server of PostgreSQL with its databases: one that is started here, or one that runs elsewhere. */
public final class Postgres implements AutoCloseable {

    /** What makes an acknowledged commit durable; a server that differs is not measured. */
    private static final List<String> DURABILITY = List.of("fsync", "synchronous_commit", "full_page_writes");

    private final String server;
    private final String user;
    private final String password;
    private final @Nullable EmbeddedPostgres embedded;
    private final OptionalLong pid;

    private Postgres(
            String server, String user, String password, @Nullable EmbeddedPostgres embedded, OptionalLong pid) {
        this.server = server;
        this.user = user;
        this.password = password;
        this.embedded = embedded;
        this.pid = pid;
    }

    /**
     * Starts a server that keeps its databases in a folder, with the defaults of PostgreSQL but for the number of
     * connections. What is in the folder is taken up.
     *
     * @throws IllegalStateException it does not write durably, or does not start
     */
    public static Postgres start(Path folder) {
        try {
            Files.createDirectories(folder);
            EmbeddedPostgres embedded = EmbeddedPostgres.builder()
                    .setDataDirectory(folder.resolve("data"))
                    .setCleanDataDirectory(false)
                    .setOverrideWorkingDirectory(folder.resolve("binaries").toFile())
                    .setServerConfig("fsync", "on")
                    .setServerConfig("synchronous_commit", "on")
                    .setServerConfig("full_page_writes", "on")
                    .start();
            long pid = Long.parseLong(Files.readAllLines(folder.resolve("data/postmaster.pid"))
                    .getFirst()
                    .trim());
            return checked(new Postgres(
                    "jdbc:postgresql://127.0.0.1:" + embedded.getPort() + "/",
                    "postgres",
                    "postgres",
                    embedded,
                    OptionalLong.of(pid)));
        } catch (IOException e) {
            throw new UncheckedIOException("PostgreSQL does not start in " + folder, e);
        }
    }

    /**
     * Takes a server that runs; its user must be allowed to create databases.
     *
     * @param server URL of JDBC up to the slash before the name of the database
     */
    public static Postgres external(String server, String user, String password) {
        return checked(
                new Postgres(server.endsWith("/") ? server : server + "/", user, password, null, OptionalLong.empty()));
    }

    private static Postgres checked(Postgres postgres) {
        for (String setting : DURABILITY) {
            String value = postgres.setting(setting);
            if (!value.equals("on")) {
                postgres.close();
                throw new IllegalStateException("PostgreSQL runs with " + setting + "=" + value
                        + "; only a server that writes durably is measured: set it to on");
            }
        }
        return postgres;
    }

    /** Version and the settings that matter, for the description of the machine. */
    public String describe() {
        return "PostgreSQL " + setting("server_version") + ", fsync " + setting("fsync") + ", synchronous_commit "
                + setting("synchronous_commit") + ", shared_buffers " + setting("shared_buffers");
    }

    public Storage.Database database(String name) {
        return new Storage.Database(name, server + name, user, password);
    }

    public void create(String name) {
        execute("postgres", "CREATE DATABASE " + name);
    }

    /** Makes a database as a copy of another one that nobody uses at the moment. */
    public void copy(String from, String to) {
        execute("postgres", "CREATE DATABASE " + to + " TEMPLATE " + from + " STRATEGY FILE_COPY");
    }

    public void drop(String name) {
        execute("postgres", "DROP DATABASE IF EXISTS " + name + " WITH (FORCE)");
    }

    /** Vacuums a database and tells its size with indexes, in bytes. */
    public long vacuumedBytes(String name) {
        execute(name, "VACUUM");
        return Long.parseLong(query("SELECT pg_database_size('" + name + "')").getFirst());
    }

    /**
     * What our store keeps of a single-table commit, as the mean of the last thousand, and of a branch.
     *
     * @param database of our store, with such commits
     */
    public RowSizes rowSizes(String database) {
        try (Connection connection = connect(database);
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("""
                        SELECT (SELECT avg(octet_length(bytes) + octet_length(parents)) FROM (
                                   SELECT bytes, parents FROM chunk WHERE id IS NOT NULL ORDER BY address DESC LIMIT 1000) AS young),
                               (SELECT octet_length(published) FROM reference WHERE name = 'main')""")) {
            row.next();
            return new RowSizes((int) Math.round(row.getDouble(1)), row.getInt(2));
        } catch (SQLException e) {
            throw new IllegalStateException("the rows of " + database + " cannot be measured", e);
        }
    }

    /**
     * Sizes of rows of our store, in bytes.
     *
     * @param commit without its number and its id
     * @param branch what it remembers of earlier heads
     */
    public record RowSizes(int commit, int branch) {}

    /** Writes what is dirty, so that no round pays for the one before it. */
    public void checkpoint() {
        execute("postgres", "CHECKPOINT");
    }

    /** Processor time of all its processes; always 0 if the server was not started here. */
    public long cpuNanos() {
        return pid.isPresent() ? Processes.treeCpuNanos(pid.getAsLong()) : 0;
    }

    public Connection connect(String database) throws SQLException {
        return DriverManager.getConnection(server + database, user, password);
    }

    private String setting(String name) {
        return query("SHOW " + name).getFirst();
    }

    private List<String> query(String sql) {
        try (Connection connection = connect("postgres");
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            List<String> values = new ArrayList<>();
            while (rows.next()) {
                values.add(rows.getString(1));
            }
            return values;
        } catch (SQLException e) {
            throw new IllegalStateException("PostgreSQL refused: " + sql, e);
        }
    }

    private void execute(String database, String sql) {
        try (Connection connection = connect(database);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException("PostgreSQL refused: " + sql + ": " + e.getMessage(), e);
        }
    }

    /** Stops the server if it was started here; its databases stay. */
    @Override
    public void close() {
        if (embedded != null) {
            try {
                embedded.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
