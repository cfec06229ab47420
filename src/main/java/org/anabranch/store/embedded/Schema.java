package org.anabranch.store.embedded;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;

/** The tables of the store file and the settings of its connections, as docs/formats.md describes them. */
final class Schema {

    /** Of the tables; recorded in the file. A change of the tables raises it. */
    static final int VERSION = 2;

    /** Marks an SQLite file as ours: "Anab". */
    static final int APPLICATION_ID = 0x416E6162;

    /** What leads to each version from the one before; the first is from an empty file to version 1. */
    private static final List<List<String>> STEPS = List.of(
            List.of(
                    "CREATE TABLE commit_row (number INTEGER PRIMARY KEY, id BLOB NOT NULL, parents BLOB NOT NULL)",
                    "CREATE INDEX commit_row_by_id ON commit_row (id)",
                    "CREATE TABLE chunk (address INTEGER PRIMARY KEY, bytes BLOB NOT NULL)",
                    """
                    CREATE TABLE reference (
                        name TEXT NOT NULL PRIMARY KEY, kind TEXT NOT NULL,
                        head_number INTEGER NOT NULL, head_id BLOB NOT NULL,
                        incarnation INTEGER NOT NULL, version INTEGER NOT NULL,
                        created_at_micros INTEGER NOT NULL, published BLOB NOT NULL)\
                    """,
                    "CREATE INDEX reference_by_kind ON reference (kind, name)",
                    """
                    CREATE TABLE repository (
                        one INTEGER PRIMARY KEY CHECK (one = 1), id TEXT NOT NULL,
                        format_version INTEGER NOT NULL, salt BLOB NOT NULL, default_branch TEXT NOT NULL,
                        created_at_micros INTEGER NOT NULL, oldest_commit_at_micros INTEGER NOT NULL,
                        version INTEGER NOT NULL)\
                    """,
                    "CREATE TABLE repository_config (type TEXT NOT NULL PRIMARY KEY, json TEXT NOT NULL)",
                    """
                    CREATE TABLE receipt (
                        scope TEXT NOT NULL PRIMARY KEY, request_digest BLOB NOT NULL,
                        head_number INTEGER NOT NULL, head_id BLOB NOT NULL,
                        response BLOB NOT NULL, expires_at_micros INTEGER NOT NULL)\
                    """,
                    "CREATE INDEX receipt_by_expiry ON receipt (expires_at_micros)",
                    "CREATE TABLE number_block (one INTEGER PRIMARY KEY CHECK (one = 1), next INTEGER NOT NULL)",
                    "INSERT INTO number_block VALUES (1, 1)"),
            List.of("CREATE TABLE condemned (number INTEGER PRIMARY KEY, at_micros INTEGER NOT NULL)"));

    /** Every acknowledged commit is synced to the disk, and through the disk's own cache where the system can say so. */
    private static final Map<String, String> DURABLE =
            Map.of("journal_mode", "wal", "synchronous", "2", "fullfsync", "1", "checkpoint_fullfsync", "1");

    private Schema() {}

    /**
     * Prepares a connection that writes. Looks before it changes anything, so a file of another program stays as it is.
     *
     * @throws UnusableFolderException if the file is of another program or a newer version, or the settings do not hold
     */
    static void open(Connection connection, Path file) throws SQLException {
        int version = version(connection, file);
        try (Statement statement = connection.createStatement()) {
            for (Map.Entry<String, String> setting : DURABLE.entrySet()) {
                statement.execute("PRAGMA " + setting.getKey() + " = " + setting.getValue());
            }
            statement.execute("PRAGMA journal_size_limit = 67108864");
        }
        requireDurable(connection, file);
        if (version < VERSION) {
            upgrade(connection, version);
        }
    }

    /** @throws UnusableFolderException if a setting that makes writes durable does not hold */
    static void requireDurable(Connection connection, Path file) throws SQLException {
        for (Map.Entry<String, String> setting : DURABLE.entrySet()) {
            String actual = pragma(connection, setting.getKey());
            if (!actual.equalsIgnoreCase(setting.getValue())) {
                throw new UnusableFolderException(
                        "SQLite does not make writes to " + file + " durable: " + setting.getKey() + " is " + actual
                                + " and must be " + setting.getValue()
                                + ". Choose a folder on a local disk.",
                        null);
            }
        }
    }

    /** 0 for an empty file. */
    private static int version(Connection connection, Path file) throws SQLException {
        int application = Integer.parseInt(pragma(connection, "application_id"));
        int version = Integer.parseInt(pragma(connection, "user_version"));
        if (application == 0 && version == 0 && isEmpty(connection)) {
            return 0;
        }
        if (application != APPLICATION_ID) {
            throw new UnusableFolderException(
                    "The file " + file + " belongs to another program. Choose another folder.", null);
        }
        if (version > VERSION) {
            throw new UnusableFolderException(
                    "The file " + file + " has schema version " + version + ", and this Anabranch knows versions up to "
                            + VERSION + ". Start the newer Anabranch that wrote it.",
                    null);
        }
        return version;
    }

    private static boolean isEmpty(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet tables = statement.executeQuery("SELECT 1 FROM sqlite_schema LIMIT 1")) {
            return !tables.next();
        }
    }

    private static void upgrade(Connection connection, int from) throws SQLException {
        connection.setAutoCommit(false);
        try (Statement statement = connection.createStatement()) {
            for (List<String> step : STEPS.subList(from, VERSION)) {
                for (String sql : step) {
                    statement.execute(sql);
                }
            }
            statement.execute("PRAGMA application_id = " + APPLICATION_ID);
            statement.execute("PRAGMA user_version = " + VERSION);
        }
        connection.commit();
        connection.setAutoCommit(true);
    }

    private static String pragma(Connection connection, String name) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery("PRAGMA " + name)) {
            return result.getString(1);
        }
    }
}
