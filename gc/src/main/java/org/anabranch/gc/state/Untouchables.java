package org.anabranch.gc.state;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.anabranch.gc.TableFiles.Expansion;
import org.anabranch.gc.TableFiles.Unreadable;

/** The files that the latest run could not read, and the folders that must be left alone for it. */
public final class Untouchables {

    static final List<String> TABLES = List.of("""
            CREATE TABLE unreadable (
                pointer INTEGER NOT NULL, path TEXT NOT NULL, cause TEXT NOT NULL, reason TEXT NOT NULL,
                PRIMARY KEY (pointer, path)) WITHOUT ROWID""", """
            CREATE TABLE untouchable (
                path TEXT NOT NULL, pointer INTEGER NOT NULL, PRIMARY KEY (path, pointer)) WITHOUT ROWID""");

    /** Where Delta Lake, Hudi and the kin of Iceberg put it, below the folder that their data lie in. */
    private static final Pattern METADATA = Pattern.compile("(?<!/)/+((_delta_log|\\.hoodie)(/.*)?|metadata/[^/]+)$");

    private final Database database;

    Untouchables(Database database) {
        this.database = database;
    }

    /**
     * A folder to leave alone.
     *
     * @param path as it was recorded
     * @param reason for people; one of perhaps several
     */
    public record Untouchable(String path, String reason) {}

    /** Keeps what a live pointer's expansion could not read; nothing if it read all. */
    public void add(long pointer, Expansion expansion) {
        if (expansion.unreadable().isEmpty()) {
            return;
        }
        database.change(connection -> {
            try (PreparedStatement unreadable =
                            connection.prepareStatement("INSERT OR IGNORE INTO unreadable VALUES (?, ?, ?, ?)");
                    PreparedStatement untouchable =
                            connection.prepareStatement("INSERT OR IGNORE INTO untouchable VALUES (?, ?)")) {
                for (Unreadable file : expansion.unreadable()) {
                    unreadable.setLong(1, pointer);
                    unreadable.setString(2, file.path());
                    unreadable.setString(3, file.cause().name());
                    unreadable.setString(4, file.reason());
                    unreadable.executeUpdate();
                }
                for (String path : expansion.locations()) {
                    untouchable.setString(1, path);
                    untouchable.setLong(2, pointer);
                    untouchable.executeUpdate();
                }
            }
        });
    }

    /**
     * Keeps, from run to run, that a table of another kind lies somewhere, whether a content names it or not.
     *
     * @param metadataFolder below the folder that is to be left alone
     */
    public void addForeign(String metadataFolder, String kind) {
        database.change(connection -> {
            try (PreparedStatement insert =
                    connection.prepareStatement("INSERT OR IGNORE INTO foreign_location VALUES (?, ?)")) {
                insert.setString(1, metadataFolder);
                insert.setString(2, kind);
                insert.executeUpdate();
            }
        });
    }

    /** The unreadable files, each once. */
    public List<Unreadable> files() {
        return database.lookUp(connection -> {
            List<Unreadable> files = new ArrayList<>();
            try (PreparedStatement query = connection.prepareStatement(
                            "SELECT DISTINCT path, cause, reason FROM unreadable ORDER BY path");
                    ResultSet rows = query.executeQuery()) {
                while (rows.next()) {
                    files.add(unreadable(rows));
                }
            }
            return files;
        });
    }

    /** Unreadable metadata files of contents that no folder is known of, so that their files may lie anywhere. */
    public List<Unreadable> unlocated() {
        return database.lookUp(connection -> {
            List<Unreadable> files = new ArrayList<>();
            try (PreparedStatement query = connection.prepareStatement("""
                            SELECT DISTINCT u.path, u.cause, u.reason
                            FROM unreadable u JOIN pointer p ON p.number = u.pointer AND p.metadata_location = u.path
                            WHERE NOT EXISTS (
                                SELECT 1 FROM claim c WHERE c.content_id IN (
                                    SELECT content_id FROM put WHERE pointer = u.pointer
                                    UNION SELECT content_id FROM tree_entry WHERE pointer = u.pointer))
                            ORDER BY u.path""");
                    ResultSet rows = query.executeQuery()) {
                while (rows.next()) {
                    files.add(unreadable(rows));
                }
            }
            return files;
        });
    }

    /** The folder of a table that something in its folder of metadata is named of; else what is named. */
    private static String foreignFolder(String location) {
        return METADATA.matcher(location).replaceFirst("");
    }

    private static Unreadable unreadable(ResultSet row) throws SQLException {
        return new Unreadable(row.getString(1), Unreadable.Cause.valueOf(row.getString(2)), row.getString(3));
    }

    /**
     * The folders to leave alone: those that an incomplete expansion gave, all that its contents ever claimed or that contents did whose
     * metadata lay beside theirs, those in which they had files of their own without claiming them, and those of contents of other kinds.
     */
    public List<Untouchable> folders() {
        return database.lookUp(connection -> {
            List<Untouchable> folders = new ArrayList<>();
            try (PreparedStatement query = connection.prepareStatement("""
                            WITH folder (path, pointer) AS (
                                SELECT path, pointer FROM untouchable
                                UNION SELECT c.path, u.pointer FROM unreadable u
                                    JOIN put p ON p.pointer = u.pointer JOIN claim c ON c.content_id = p.content_id
                                UNION SELECT c.path, u.pointer FROM unreadable u
                                    JOIN tree_entry t ON t.pointer = u.pointer
                                    JOIN claim c ON c.content_id = t.content_id
                                UNION SELECT c.path, u.pointer FROM unreadable u
                                    JOIN pointer p ON p.number = u.pointer
                                    JOIN known_content k
                                        ON k.folder = rtrim(rtrim(p.metadata_location,
                                            replace(p.metadata_location, '/', '')), '/')
                                    JOIN claim c ON c.content_id = k.content_id
                                UNION SELECT g.location, u.pointer FROM unreadable u
                                    JOIN put p ON p.pointer = u.pointer
                                    JOIN guest_folder g ON g.content_id = p.content_id
                                UNION SELECT g.location, u.pointer FROM unreadable u
                                    JOIN tree_entry t ON t.pointer = u.pointer
                                    JOIN guest_folder g ON g.content_id = t.content_id)
                            SELECT f.path, NULL, min('the file ' || u.path || ' of a live content is not readable: ' || u.reason)
                            FROM folder f JOIN unreadable u ON u.pointer = f.pointer GROUP BY f.path
                            UNION ALL
                            SELECT location, location, 'it belongs to a content of type ' || type || ', whose files are not known'
                            FROM foreign_location""");
                    ResultSet rows = query.executeQuery()) {
                while (rows.next()) {
                    String foreign = rows.getString(2);
                    folders.add(new Untouchable(
                            foreign == null ? rows.getString(1) : foreignFolder(foreign), rows.getString(3)));
                }
            }
            return folders;
        });
    }
}
