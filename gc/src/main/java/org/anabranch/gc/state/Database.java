package org.anabranch.gc.state;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/**
 * The SQLite file behind the state: one connection that writes, one transaction at a time, and as many that read as there are
 * scans under way.
 *
 * <p>Safe from many threads. What is written is there after the end of the process, however it ends; after a loss of
 * power the last transactions may be missing, but none is there in part.
 */
final class Database implements AutoCloseable {

    /** Of the tables; recorded in the file. A change of the tables raises it. */
    static final int VERSION = 1;

    /** Marks an SQLite file as ours: "AnGC". */
    private static final int APPLICATION_ID = 0x416E4743;

    private final Path file;
    private final Connection writer;

    private Database(Path file, Connection writer) {
        this.file = file;
        this.writer = writer;
    }

    /** Work on a connection. */
    interface Work<T> {
        T on(Connection connection) throws SQLException;
    }

    /** Work on a connection that gives nothing. */
    interface Action {
        void on(Connection connection) throws SQLException;
    }

    /**
     * Opens the file, or creates it with its tables.
     *
     * @throws UnusableStateException if it is another program's, or of another version
     */
    static Database open(Path file, List<String> tables) {
        try {
            Connection writer = connect(file);
            try {
                prepare(writer, file, tables);
            } catch (SQLException | RuntimeException e) {
                writer.close();
                throw e;
            }
            return new Database(file, writer);
        } catch (SQLException e) {
            throw failed(file, e);
        }
    }

    /** Runs work as one transaction; its exception takes everything back. */
    synchronized <T> T write(Work<T> work) {
        try {
            writer.setAutoCommit(false);
            try {
                T result = work.on(writer);
                writer.commit();
                return result;
            } catch (SQLException | RuntimeException e) {
                writer.rollback();
                throw e;
            } finally {
                writer.setAutoCommit(true);
            }
        } catch (SQLException e) {
            throw failed(file, e);
        }
    }

    /** As {@link #write}, for work without a result. */
    void change(Action action) {
        write(connection -> {
            action.on(connection);
            return null;
        });
    }

    /** Looks something up that is found quickly; changes nothing. */
    synchronized <T> T lookUp(Work<T> work) {
        try {
            return work.on(writer);
        } catch (SQLException e) {
            throw failed(file, e);
        }
    }

    /** Runs a long reading on a connection of its own, which sees one state of the database from its first read on. */
    <T> T read(Work<T> work) {
        try (Connection reader = connect(file)) {
            reader.setAutoCommit(false);
            try {
                return work.on(reader);
            } finally {
                reader.rollback();
            }
        } catch (SQLException e) {
            throw failed(file, e);
        }
    }

    @Override
    public synchronized void close() {
        try {
            writer.close();
        } catch (SQLException e) {
            throw failed(file, e);
        }
    }

    private static Connection connect(Path file) throws SQLException {
        Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
        try (Statement statement = connection.createStatement()) {
            statement.execute("PRAGMA busy_timeout = 60000");
            statement.execute("PRAGMA journal_mode = wal");
            statement.execute("PRAGMA synchronous = normal");
            statement.execute("PRAGMA temp_store = file");
            statement.execute("PRAGMA cache_size = -32768");
        }
        return connection;
    }

    private static void prepare(Connection connection, Path file, List<String> tables) throws SQLException {
        int application = pragma(connection, "application_id");
        int version = pragma(connection, "user_version");
        if (application == 0 && version == 0 && isEmpty(connection)) {
            connection.setAutoCommit(false);
            try (Statement statement = connection.createStatement()) {
                for (String sql : tables) {
                    statement.execute(sql);
                }
                statement.execute("PRAGMA application_id = " + APPLICATION_ID);
                statement.execute("PRAGMA user_version = " + VERSION);
            }
            connection.commit();
            connection.setAutoCommit(true);
            return;
        }
        if (application != APPLICATION_ID) {
            throw new UnusableStateException(
                    "The file " + file + " belongs to another program. Choose another state folder.", null);
        }
        if (version != VERSION) {
            throw new UnusableStateException(
                    "The file " + file + " has format version " + version + ", and this Anabranch writes version "
                            + VERSION
                            + ". Use the Anabranch that wrote it, or delete the folder: the grace period then starts anew.",
                    null);
        }
    }

    private static boolean isEmpty(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet tables = statement.executeQuery("SELECT 1 FROM sqlite_schema LIMIT 1")) {
            return !tables.next();
        }
    }

    private static int pragma(Connection connection, String name) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery("PRAGMA " + name)) {
            return result.getInt(1);
        }
    }

    private static UnusableStateException failed(Path file, SQLException cause) {
        return new UnusableStateException(
                "The state in " + file + " cannot be read or written: " + cause.getMessage()
                        + ". Make room or permissions; if the file is damaged, delete its folder: the grace period then"
                        + " starts anew.",
                cause);
    }
}
