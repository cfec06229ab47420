package org.anabranch.store.postgres;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Set;

/**
 * The tables and their version. The file {@code schema-N.sql} leads from version N - 1 to version N; a change of the tables
 * adds one.
 */
final class Schema {

    static final int VERSION = 2;

    private static final int OLDEST_SERVER = 13;

    private static final String UNDEFINED_TABLE = "42P01";

    /** What a CREATE TABLE IF NOT EXISTS may end with that runs at the same time as another one. */
    private static final Set<String> CREATED_BY_ANOTHER = Set.of("23505", "42P07", "42710");

    private Schema() {}

    /**
     * Leads the tables to {@link #VERSION}. Processes may do so at the same time: one works, the others wait for it.
     *
     * @throws UnusableDatabaseException if the server is too old or read-only, or the tables are of a newer program
     */
    static void open(Connection connection) throws SQLException {
        requireUsable(connection);
        int version = version(connection);
        if (version < 0) {
            createVersion(connection);
        }
        if (version < VERSION) {
            upgrade(connection);
        } else {
            requireKnown(version);
        }
    }

    static void requireKnown(int version) {
        if (version > VERSION) {
            throw new UnusableDatabaseException(
                    "The tables of the database have schema version " + version
                            + ", and this Anabranch knows versions up to " + VERSION
                            + ". Start the newer Anabranch that made them.",
                    null);
        }
    }

    private static void requireUsable(Connection connection) throws SQLException {
        requireServer(connection.getMetaData().getDatabaseMajorVersion());
        if (setting(connection, "transaction_read_only").equals("on")) {
            throw new SQLException("The database is read-only", "25006");
        }
        String encoding = setting(connection, "server_encoding");
        if (!encoding.equals("UTF8")) {
            throw new UnusableDatabaseException(
                    "The database is encoded in " + encoding + " and must be in UTF8: create it with ENCODING 'UTF8'.",
                    null);
        }
    }

    static void requireServer(int majorVersion) {
        if (majorVersion < OLDEST_SERVER) {
            throw new UnusableDatabaseException(
                    "PostgreSQL has version " + majorVersion + " there and must have version " + OLDEST_SERVER
                            + " or newer: upgrade it, or name another one with anabranch.store.postgresql.url (--url).",
                    null);
        }
    }

    private static String setting(Connection connection, String name) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery("SHOW " + name)) {
            result.next();
            return result.getString(1);
        }
    }

    /** -1 if there are no tables yet. */
    private static int version(Connection connection) throws SQLException {
        try {
            return version(connection, "SELECT version FROM schema_version");
        } catch (SQLException e) {
            if (UNDEFINED_TABLE.equals(e.getSQLState())) {
                return -1;
            }
            throw e;
        }
    }

    private static int version(Connection connection, String query) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(query)) {
            return result.next() ? result.getInt(1) : -1;
        }
    }

    private static void createVersion(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE IF NOT EXISTS schema_version"
                    + " (one integer PRIMARY KEY CHECK (one = 1), version integer NOT NULL)");
        } catch (SQLException e) {
            if (!CREATED_BY_ANOTHER.contains(String.valueOf(e.getSQLState()))) {
                throw e;
            }
        }
        try (Statement statement = connection.createStatement()) {
            statement.execute("INSERT INTO schema_version VALUES (1, 0) ON CONFLICT DO NOTHING");
        }
    }

    /**
     * The lock on the one row of {@code schema_version} lets one process through at a time. A step may take long on large tables,
     * and so may the wait for it.
     */
    private static void upgrade(Connection connection) throws SQLException {
        int networkMillis = connection.getNetworkTimeout();
        connection.setNetworkTimeout(Runnable::run, 0);
        connection.setAutoCommit(false);
        try (Statement statement = connection.createStatement()) {
            statement.execute("SET LOCAL statement_timeout = 0");
            int version = version(connection, "SELECT version FROM schema_version WHERE one = 1 FOR UPDATE");
            requireKnown(version);
            for (int next = version + 1; next <= VERSION; next++) {
                statement.execute(script(next));
            }
            statement.execute("UPDATE schema_version SET version = " + VERSION + " WHERE one = 1");
            connection.commit();
        } catch (SQLException | RuntimeException e) {
            connection.rollback();
            throw e;
        } finally {
            connection.setAutoCommit(true);
            connection.setNetworkTimeout(Runnable::run, networkMillis);
        }
    }

    private static String script(int version) {
        String name = "schema-" + version + ".sql";
        try (InputStream script = Schema.class.getResourceAsStream(name)) {
            if (script == null) {
                throw new IllegalStateException("The program lacks its file " + name);
            }
            return new String(script.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
