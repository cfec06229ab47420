package org.anabranch.gc.state;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.anabranch.gc.FileLocation;
import org.anabranch.gc.StoredFile;
import org.anabranch.gc.state.Runs.Run;

/**
 * The files that storages hold and nothing live needs, each with the run since when that is so. Kept from run to run: a file goes when
 * enough time lies between its first run here and the latest.
 */
public final class UnreferencedFiles {

    static final List<String> TABLES = List.of("""
            CREATE TABLE unreferenced_file (
                path TEXT PRIMARY KEY, bytes INTEGER NOT NULL, modified_at_micros INTEGER NOT NULL,
                since_run INTEGER NOT NULL, since_micros INTEGER NOT NULL, seen_run INTEGER NOT NULL) WITHOUT ROWID""", "CREATE TABLE listed_folder (path TEXT PRIMARY KEY) WITHOUT ROWID");

    private final Database database;

    UnreferencedFiles(Database database) {
        this.database = database;
    }

    /**
     * A file that nothing live needs.
     *
     * @param sinceRun the first run of an unbroken row that found it so, with the same length and time of modification
     * @param since when that run's mark and expansion were complete
     */
    public record Unreferenced(StoredFile file, long sinceRun, Instant since) {}

    /**
     * Records files that the run found unreferenced. A file that changed since it was seen starts anew, and so does one that was seen at a
     * time that is yet to come: by a clock that was wrong.
     */
    public void see(Run run, Instant completeAt, Collection<StoredFile> files) {
        database.change(connection -> {
            try (PreparedStatement upsert = connection.prepareStatement("""
                    INSERT INTO unreferenced_file VALUES (?1, ?2, ?3, ?4, ?5, ?4)
                    ON CONFLICT (path) DO UPDATE SET
                        since_run = iif(bytes = excluded.bytes AND modified_at_micros = excluded.modified_at_micros
                            AND since_micros <= excluded.since_micros, since_run, excluded.since_run),
                        since_micros = iif(bytes = excluded.bytes AND modified_at_micros = excluded.modified_at_micros
                            AND since_micros <= excluded.since_micros, since_micros, excluded.since_micros),
                        bytes = excluded.bytes, modified_at_micros = excluded.modified_at_micros,
                        seen_run = excluded.seen_run""")) {
                for (StoredFile file : files) {
                    upsert.setString(1, file.path());
                    upsert.setLong(2, file.bytes());
                    upsert.setLong(3, Micros.of(file.modifiedAt()));
                    upsert.setLong(4, run.id());
                    upsert.setLong(5, Micros.of(completeAt));
                    upsert.executeUpdate();
                }
            }
        });
    }

    /** Whether the run listed a folder to its end. */
    public boolean isListed(String folder) {
        return database.lookUp(connection -> {
            try (PreparedStatement query = connection.prepareStatement("SELECT 1 FROM listed_folder WHERE path = ?")) {
                query.setString(1, folder);
                try (ResultSet row = query.executeQuery()) {
                    return row.next();
                }
            }
        });
    }

    /** Records that the run listed a folder to its end. */
    public void listed(String folder) {
        database.change(connection -> {
            try (PreparedStatement insert =
                    connection.prepareStatement("INSERT OR IGNORE INTO listed_folder VALUES (?)")) {
                insert.setString(1, folder);
                insert.executeUpdate();
            }
        });
    }

    /** Forgets the files of the folders that the run listed which it did not see there: they are gone, or referenced again. */
    public void forgetUnseen(Run run) {
        database.change(connection -> {
            try (PreparedStatement delete = connection.prepareStatement("""
                    DELETE FROM unreferenced_file WHERE path IN (
                        SELECT u.path FROM listed_folder f JOIN unreferenced_file u
                            ON u.path > f.path || '/' AND u.path < f.path || '0'
                        WHERE u.seen_run <> ?)""")) {
                delete.setLong(1, run.id());
                delete.executeUpdate();
            }
        });
    }

    /** As {@link #seen}, whichever run saw the files last. */
    public List<Unreferenced> recorded(String afterPath, int limit) {
        return database.lookUp(connection -> {
            List<Unreferenced> files = new ArrayList<>();
            try (PreparedStatement query = connection.prepareStatement(
                    "SELECT * FROM unreferenced_file WHERE path > ? ORDER BY path LIMIT ?")) {
                query.setString(1, afterPath);
                query.setInt(2, limit);
                try (ResultSet rows = query.executeQuery()) {
                    while (rows.next()) {
                        files.add(unreferenced(rows));
                    }
                }
            }
            return files;
        });
    }

    /** Forgets files: they are gone, or needed again. */
    public void forget(Collection<String> paths) {
        database.change(connection -> {
            try (PreparedStatement delete =
                    connection.prepareStatement("DELETE FROM unreferenced_file WHERE path = ?")) {
                for (String path : paths) {
                    delete.setString(1, path);
                    delete.executeUpdate();
                }
            }
        });
    }

    /**
     * Some of the files that the run found unreferenced.
     *
     * @param afterPath those that come later in the order of paths; empty for the first ones
     */
    public List<Unreferenced> seen(Run run, String afterPath, int limit) {
        return database.lookUp(connection -> {
            List<Unreferenced> files = new ArrayList<>();
            try (PreparedStatement query = connection.prepareStatement(
                    "SELECT * FROM unreferenced_file WHERE path > ? AND seen_run = ? ORDER BY path LIMIT ?")) {
                query.setString(1, afterPath);
                query.setLong(2, run.id());
                query.setInt(3, limit);
                try (ResultSet rows = query.executeQuery()) {
                    while (rows.next()) {
                        files.add(unreferenced(rows));
                    }
                }
            }
            return files;
        });
    }

    /** How many files the run found unreferenced that were so at some time already, and were modified before another. Looks at all. */
    public long count(Run run, Instant atSince, Instant modifiedBefore) {
        return database.lookUp(connection -> {
            try (PreparedStatement query = connection.prepareStatement("""
                    SELECT count(*) FROM unreferenced_file
                    WHERE seen_run = ?1 AND since_run < ?1 AND since_micros <= ?2 AND modified_at_micros < ?3""")) {
                query.setLong(1, run.id());
                query.setLong(2, Micros.of(atSince));
                query.setLong(3, Micros.of(modifiedBefore));
                try (ResultSet row = query.executeQuery()) {
                    return row.getLong(1);
                }
            }
        });
    }

    /** What is known of one file, by the storage's spelling; empty if no run since found it unreferenced. */
    public Optional<Unreferenced> find(String path) {
        return database.lookUp(connection -> {
            try (PreparedStatement query =
                    connection.prepareStatement("SELECT * FROM unreferenced_file WHERE path = ?")) {
                query.setString(1, path);
                try (ResultSet row = query.executeQuery()) {
                    return row.next() ? Optional.of(unreferenced(row)) : Optional.<Unreferenced>empty();
                }
            }
        });
    }

    private static Unreferenced unreferenced(ResultSet row) throws SQLException {
        String path = row.getString("path");
        return new Unreferenced(
                new StoredFile(
                        FileLocation.parse(path),
                        path,
                        row.getLong("bytes"),
                        Micros.instant(row.getLong("modified_at_micros"))),
                row.getLong("since_run"),
                Micros.instant(row.getLong("since_micros")));
    }
}
