package org.anabranch.gc.state;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.anabranch.gc.CatalogContent;
import org.anabranch.gc.CatalogEntry;
import org.anabranch.gc.ContentPointer;
import org.anabranch.gc.LoggedCommit;
import org.anabranch.model.CommitId;
import org.anabranch.model.ContentKey;

/**
 * The catalog's commits as read so far, with what they put. Commits do not change, so each is asked for once, in whatever
 * run, and their lines are then walked here.
 */
public final class CommitLog {

    static final List<String> TABLES = List.of(
            """
            CREATE TABLE commit_row (
                number INTEGER PRIMARY KEY, id BLOB NOT NULL UNIQUE, parent BLOB NOT NULL,
                committed_at_micros INTEGER NOT NULL, is_complete INTEGER NOT NULL)""",
            """
            CREATE TABLE pointer (
                number INTEGER PRIMARY KEY, kind TEXT NOT NULL, metadata_location TEXT NOT NULL,
                version_id INTEGER NOT NULL, UNIQUE (metadata_location, version_id, kind))""",
            """
            CREATE TABLE put (
                commit_number INTEGER NOT NULL, key TEXT NOT NULL, content_id TEXT NOT NULL,
                pointer INTEGER NOT NULL, PRIMARY KEY (commit_number, key)) WITHOUT ROWID""",
            "CREATE INDEX put_by_pointer ON put (pointer)",
            """
            CREATE TABLE known_content (
                content_id TEXT NOT NULL, folder TEXT NOT NULL, key TEXT NOT NULL, pointer INTEGER NOT NULL,
                committed_at_micros INTEGER NOT NULL, PRIMARY KEY (content_id, folder)) WITHOUT ROWID""",
            "CREATE TABLE foreign_location (location TEXT NOT NULL PRIMARY KEY, type TEXT NOT NULL) WITHOUT ROWID");

    private final Database database;

    CommitLog(Database database) {
        this.database = database;
    }

    /**
     * Finds where the line of a commit is not known any further, and remembers it when it is known to its end.
     *
     * @return the first commit of the line that was not read yet; empty when the whole line is known
     */
    public Optional<CommitId> firstUnknown(CommitId from) {
        return database.write(connection -> {
            List<Long> numbers = new ArrayList<>();
            CommitId next = from;
            try (PreparedStatement query =
                    connection.prepareStatement("SELECT number, parent, is_complete FROM commit_row WHERE id = ?")) {
                while (!next.equals(CommitId.NO_ANCESTOR)) {
                    query.setBytes(1, next.toBytes());
                    try (ResultSet row = query.executeQuery()) {
                        if (!row.next()) {
                            return Optional.of(next);
                        }
                        if (row.getInt(3) != 0) {
                            break;
                        }
                        numbers.add(row.getLong(1));
                        next = CommitId.of(row.getBytes(2));
                    }
                }
            }
            try (PreparedStatement update =
                    connection.prepareStatement("UPDATE commit_row SET is_complete = 1 WHERE number = ?")) {
                for (long number : numbers) {
                    update.setLong(1, number);
                    update.executeUpdate();
                }
            }
            return Optional.<CommitId>empty();
        });
    }

    /** Whether a commit was read; its line may be known down to it only. */
    public boolean contains(CommitId id) {
        return database.lookUp(connection -> {
            try (PreparedStatement query = connection.prepareStatement("SELECT 1 FROM commit_row WHERE id = ?")) {
                query.setBytes(1, id.toBytes());
                try (ResultSet row = query.executeQuery()) {
                    return row.next();
                }
            }
        });
    }

    /** Adds commits, all or none; one that is there already is left as it is. */
    public void add(List<LoggedCommit> commits) {
        database.change(connection -> {
            try (PreparedStatement insert = connection.prepareStatement(
                            "INSERT OR IGNORE INTO commit_row (id, parent, committed_at_micros, is_complete)"
                                    + " VALUES (?, ?, ?, 0) RETURNING number");
                    PreparedStatement put =
                            connection.prepareStatement("INSERT OR IGNORE INTO put VALUES (?, ?, ?, ?)");
                    Contents contents = new Contents(connection)) {
                for (LoggedCommit commit : commits) {
                    insert.setBytes(1, commit.id().toBytes());
                    insert.setBytes(2, commit.parent().toBytes());
                    insert.setLong(3, Micros.of(commit.committedAt()));
                    long number;
                    try (ResultSet row = insert.executeQuery()) {
                        if (!row.next()) {
                            continue;
                        }
                        number = row.getLong(1);
                    }
                    for (CatalogEntry entry : commit.puts()) {
                        Optional<Long> pointer = contents.add(entry, commit.committedAt());
                        if (pointer.isPresent()) {
                            put.setLong(1, number);
                            put.setString(2, Keys.text(entry.key()));
                            put.setString(3, entry.contentId());
                            put.setLong(4, pointer.get());
                            put.executeUpdate();
                        }
                    }
                }
            }
        });
    }

    /**
     * A content that was in the catalog at some time, be it live or dropped.
     *
     * @param pointer the youngest that is known of those whose metadata file lies in the same folder
     */
    public record KnownContent(String contentId, ContentKey key, ContentPointer pointer) {}

    /**
     * Every content that the catalog's references ever had, once for each folder that its metadata files lay in: where its files may
     * lie, even if it was dropped long ago.
     */
    public void knownContents(Consumer<KnownContent> contents) {
        database.read(connection -> {
            try (PreparedStatement query = connection.prepareStatement("""
                            SELECT k.content_id, k.key, p.kind, p.metadata_location, p.version_id
                            FROM known_content k JOIN pointer p ON p.number = k.pointer
                            ORDER BY k.content_id, k.folder""");
                    ResultSet rows = query.executeQuery()) {
                while (rows.next()) {
                    contents.accept(
                            new KnownContent(rows.getString(1), Keys.parse(rows.getString(2)), LiveSet.pointer(rows)));
                }
            }
            return null;
        });
    }

    /** A commit that put a content. */
    public record Put(CommitId commit, Instant committedAt, ContentKey key, String contentId) {}

    /** The commits that put contents with a metadata file, live or not, youngest first; the file as the catalog spells it. */
    public List<Put> putsOf(String metadataLocation, int limit) {
        return database.lookUp(connection -> {
            List<Put> puts = new ArrayList<>();
            try (PreparedStatement query = connection.prepareStatement("""
                    SELECT c.id, c.committed_at_micros, s.key, s.content_id
                    FROM pointer p JOIN put s ON s.pointer = p.number JOIN commit_row c ON c.number = s.commit_number
                    WHERE p.metadata_location = ? ORDER BY c.committed_at_micros DESC, c.number DESC LIMIT ?""")) {
                query.setString(1, metadataLocation);
                query.setInt(2, limit);
                try (ResultSet rows = query.executeQuery()) {
                    while (rows.next()) {
                        puts.add(new Put(
                                CommitId.of(rows.getBytes(1)),
                                Micros.instant(rows.getLong(2)),
                                Keys.parse(rows.getString(3)),
                                rows.getString(4)));
                    }
                }
            }
            return puts;
        });
    }

    /** Records contents in the tables that are about contents rather than commits. */
    static final class Contents implements AutoCloseable {

        private final PreparedStatement insertPointer;
        private final PreparedStatement findPointer;
        private final PreparedStatement known;
        private final PreparedStatement foreign;

        Contents(Connection connection) throws SQLException {
            insertPointer = connection.prepareStatement(
                    "INSERT OR IGNORE INTO pointer (kind, metadata_location, version_id) VALUES (?, ?, ?)");
            findPointer = connection.prepareStatement(
                    "SELECT number FROM pointer WHERE metadata_location = ? AND version_id = ? AND kind = ?");
            known = connection.prepareStatement("""
                    INSERT INTO known_content VALUES (?, ?, ?, ?, ?)
                    ON CONFLICT (content_id, folder) DO UPDATE SET
                        key = excluded.key, pointer = excluded.pointer, committed_at_micros = excluded.committed_at_micros
                    WHERE excluded.committed_at_micros > known_content.committed_at_micros""");
            foreign = connection.prepareStatement("INSERT OR IGNORE INTO foreign_location VALUES (?, ?)");
        }

        /** The number of the pointer; empty for a content whose files are not collected. */
        Optional<Long> add(CatalogEntry entry, Instant committedAt) throws SQLException {
            if (entry.content() instanceof CatalogContent.Foreign other) {
                for (String location : other.locations()) {
                    foreign.setString(1, location);
                    foreign.setString(2, other.type());
                    foreign.executeUpdate();
                }
                return Optional.empty();
            }
            var pointer = ((CatalogContent.Iceberg) entry.content()).pointer();
            insertPointer.setString(1, pointer.kind().name());
            insertPointer.setString(2, pointer.metadataLocation());
            insertPointer.setLong(3, pointer.versionId());
            insertPointer.executeUpdate();
            findPointer.setString(1, pointer.metadataLocation());
            findPointer.setLong(2, pointer.versionId());
            findPointer.setString(3, pointer.kind().name());
            long number;
            try (ResultSet row = findPointer.executeQuery()) {
                number = row.getLong(1);
            }
            known.setString(1, entry.contentId());
            known.setString(2, folder(pointer.metadataLocation()));
            known.setString(3, Keys.text(entry.key()));
            known.setLong(4, number);
            known.setLong(5, Micros.of(committedAt));
            known.executeUpdate();
            return Optional.of(number);
        }

        private static String folder(String location) {
            return location.substring(0, Math.max(0, location.lastIndexOf('/')));
        }

        @Override
        public void close() throws SQLException {
            insertPointer.close();
            findPointer.close();
            known.close();
            foreign.close();
        }
    }

    /** Keys as the database keeps them: a line separator of ASCII between the elements, which no key contains. */
    static final class Keys {

        private static final String BETWEEN = "\u001f";

        private Keys() {}

        static String text(ContentKey key) {
            return String.join(BETWEEN, key.elements());
        }

        static ContentKey parse(String text) {
            return new ContentKey(List.of(text.split(BETWEEN, -1)));
        }
    }
}
