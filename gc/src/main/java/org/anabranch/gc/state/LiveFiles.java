package org.anabranch.gc.state;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.anabranch.gc.FileLocation;
import org.anabranch.gc.NeededFiles;
import org.anabranch.gc.StoredFile;
import org.anabranch.gc.TableFiles.Unreadable;
import org.jspecify.annotations.Nullable;

/**
 * The files that live contents of the latest run need, each with the index file that named it first, and how far the reading of index files
 * came.
 */
public final class LiveFiles implements NeededFiles {

    static final List<String> TABLES = List.of(
            """
            CREATE TABLE index_file (
                number INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE, referrer INTEGER,
                state TEXT NOT NULL, unreadable_path TEXT, unreadable_cause TEXT, unreadable_reason TEXT)""", "CREATE TABLE live_file (location TEXT PRIMARY KEY, index_file INTEGER NOT NULL) WITHOUT ROWID", """
            CREATE TABLE guest_folder (
                content_id TEXT NOT NULL, location TEXT NOT NULL, PRIMARY KEY (content_id, location)) WITHOUT ROWID""");

    private static final Pattern CHECKSUMS = Pattern.compile("(.*/)\\.([^/]+)\\.crc");

    private static final String OPEN = "OPEN";
    private static final String WHOLE = "WHOLE";
    private static final String FAILED = "FAILED";

    private final Database database;

    LiveFiles(Database database) {
        this.database = database;
    }

    @Override
    public Map<String, Reading> readings(Collection<String> indexFiles) {
        return database.lookUp(connection -> {
            Map<String, Reading> readings = new HashMap<>();
            try (PreparedStatement query = connection.prepareStatement("SELECT * FROM index_file WHERE path = ?")) {
                for (String indexFile : indexFiles) {
                    query.setString(1, indexFile);
                    try (ResultSet row = query.executeQuery()) {
                        readings.put(indexFile, row.next() ? reading(row) : new Reading.Open());
                    }
                }
            }
            return readings;
        });
    }

    private static Reading reading(ResultSet row) throws SQLException {
        return switch (row.getString("state")) {
            case WHOLE -> new Reading.Whole();
            case FAILED ->
                new Reading.Failed(new Unreadable(
                        row.getString("unreadable_path"),
                        Unreadable.Cause.valueOf(row.getString("unreadable_cause")),
                        row.getString("unreadable_reason")));
            default -> new Reading.Open();
        };
    }

    @Override
    public void add(String indexFile, @Nullable String referrer, List<FileLocation> files) {
        database.change(connection -> {
            long number = number(connection, indexFile, referrer);
            try (PreparedStatement insert =
                    connection.prepareStatement("INSERT OR IGNORE INTO live_file VALUES (?, ?)")) {
                for (FileLocation file : files) {
                    insert.setString(1, file.value());
                    insert.setLong(2, number);
                    insert.executeUpdate();
                }
            }
        });
    }

    private static long number(Connection connection, String indexFile, @Nullable String referrer) throws SQLException {
        try (PreparedStatement find = connection.prepareStatement("SELECT number FROM index_file WHERE path = ?")) {
            find.setString(1, indexFile);
            try (ResultSet row = find.executeQuery()) {
                if (row.next()) {
                    return row.getLong(1);
                }
            }
        }
        try (PreparedStatement insert = connection.prepareStatement("""
                INSERT INTO index_file (path, referrer, state)
                VALUES (?, (SELECT number FROM index_file WHERE path = ?), 'OPEN') RETURNING number""")) {
            insert.setString(1, indexFile);
            insert.setString(2, referrer);
            try (ResultSet row = insert.executeQuery()) {
                return row.getLong(1);
            }
        }
    }

    @Override
    public void outside(String metadataFile, Collection<FileLocation> folders) {
        if (folders.isEmpty()) {
            return;
        }
        database.change(connection -> {
            try (PreparedStatement insert = connection.prepareStatement("""
                    INSERT OR IGNORE INTO guest_folder
                    SELECT s.content_id, ?1 FROM pointer p JOIN put s ON s.pointer = p.number
                        WHERE p.metadata_location = ?2
                    UNION SELECT t.content_id, ?1 FROM pointer p JOIN tree_entry t ON t.pointer = p.number
                        WHERE p.metadata_location = ?2""")) {
                for (FileLocation folder : folders) {
                    insert.setString(1, folder.value());
                    insert.setString(2, metadataFile);
                    insert.executeUpdate();
                }
            }
        });
    }

    @Override
    public void ended(String indexFile, Reading reading) {
        Unreadable file = reading instanceof Reading.Failed failed ? failed.file() : null;
        database.change(connection -> {
            try (PreparedStatement update = connection.prepareStatement("""
                    INSERT INTO index_file (path, state, unreadable_path, unreadable_cause, unreadable_reason)
                    VALUES (?, ?, ?, ?, ?) ON CONFLICT (path) DO UPDATE SET state = excluded.state,
                        unreadable_path = excluded.unreadable_path, unreadable_cause = excluded.unreadable_cause,
                        unreadable_reason = excluded.unreadable_reason""")) {
                update.setString(1, indexFile);
                update.setString(2, file != null ? FAILED : reading instanceof Reading.Whole ? WHOLE : OPEN);
                update.setString(3, file == null ? null : file.path());
                update.setString(4, file == null ? null : file.cause().name());
                update.setString(5, file == null ? null : file.reason());
                update.executeUpdate();
            }
        });
    }

    /**
     * Those of some files that nothing live needs, in their order. The checksums that Hadoop's local file system lays beside a file,
     * {@code .name.crc} beside {@code name}, are needed as long as that file is.
     */
    public List<StoredFile> unneeded(Collection<StoredFile> files) {
        return database.lookUp(connection -> {
            List<StoredFile> unneeded = new ArrayList<>();
            try (PreparedStatement query = connection.prepareStatement("SELECT 1 FROM live_file WHERE location = ?")) {
                for (StoredFile file : files) {
                    String location = file.location().value();
                    Matcher checksums = CHECKSUMS.matcher(location);
                    if (!isThere(query, location)
                            && !(checksums.matches() && isThere(query, checksums.group(1) + checksums.group(2)))) {
                        unneeded.add(file);
                    }
                }
            }
            return unneeded;
        });
    }

    private static boolean isThere(PreparedStatement query, String location) throws SQLException {
        query.setString(1, location);
        try (ResultSet row = query.executeQuery()) {
            return row.next();
        }
    }

    /** How many files live contents need. Reads them all. */
    public long count() {
        return database.read(connection -> {
            try (PreparedStatement query = connection.prepareStatement("SELECT count(*) FROM live_file");
                    ResultSet row = query.executeQuery()) {
                return row.getLong(1);
            }
        });
    }

    /**
     * The index files through which a file is needed, one way of perhaps several: the one that names it first, the metadata file last;
     * empty if nothing live needs the file.
     */
    public List<String> way(FileLocation file) {
        return database.read(connection -> {
            List<String> way = new ArrayList<>();
            try (PreparedStatement first =
                            connection.prepareStatement("SELECT index_file FROM live_file WHERE location = ?");
                    PreparedStatement next =
                            connection.prepareStatement("SELECT path, referrer FROM index_file WHERE number = ?")) {
                first.setString(1, file.value());
                long number;
                try (ResultSet row = first.executeQuery()) {
                    if (!row.next()) {
                        return way;
                    }
                    number = row.getLong(1);
                }
                while (number != 0) {
                    next.setLong(1, number);
                    try (ResultSet row = next.executeQuery()) {
                        way.add(row.getString(1));
                        number = row.getLong(2);
                    }
                }
            }
            return way;
        });
    }
}
