package org.anabranch.gc.state;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.anabranch.gc.CatalogEntry;
import org.anabranch.gc.ContentPointer;
import org.anabranch.gc.Cutoff;
import org.anabranch.gc.ReferenceHead;
import org.anabranch.gc.state.CommitLog.Contents;
import org.anabranch.gc.state.CommitLog.Keys;
import org.anabranch.model.CommitId;
import org.anabranch.model.ContentKey;

/**
 * What the latest run found live: commits, and the pointers that are visible at one of them. It only grows during a run, so
 * whatever is added again after a crash does no harm.
 */
public final class LiveSet {

    static final List<String> TABLES = List.of(
            """
            CREATE TABLE marked_reference (
                id INTEGER PRIMARY KEY, kind TEXT NOT NULL, name TEXT NOT NULL, head BLOB NOT NULL, UNIQUE (name, head))""",
            """
            CREATE TABLE live_commit (
                commit_number INTEGER PRIMARY KEY, reference INTEGER NOT NULL, whole_since_micros INTEGER NOT NULL)""",
            "CREATE TABLE anchor (commit_number INTEGER PRIMARY KEY, is_read INTEGER NOT NULL)",
            """
            CREATE TABLE tree_entry (
                commit_number INTEGER NOT NULL, key TEXT NOT NULL, content_id TEXT NOT NULL, pointer INTEGER NOT NULL,
                PRIMARY KEY (commit_number, key)) WITHOUT ROWID""",
            "CREATE INDEX tree_entry_by_pointer ON tree_entry (pointer)",
            "CREATE TABLE live_pointer (pointer INTEGER PRIMARY KEY, is_expanded INTEGER NOT NULL DEFAULT 0)",
            "CREATE INDEX unexpanded_pointer ON live_pointer (pointer) WHERE is_expanded = 0");

    private final Database database;

    LiveSet(Database database) {
        this.database = database;
    }

    /**
     * A live pointer.
     *
     * @param number by which the state knows it
     */
    public record LivePointer(long number, ContentPointer pointer) {}

    /**
     * A commit whose parent is not live, so that what it shows has to be read from the catalog.
     *
     * @param base a commit whose tree is in the live set, or is read along with this one: what differs from it is enough; empty when
     *     the whole tree is needed
     */
    public record Anchor(CommitId commit, Optional<CommitId> base) {}

    /** Those references whose lines were not marked yet from where they are, as the kind that they are, in the order given. */
    public List<ReferenceHead> unmarked(List<ReferenceHead> references) {
        return database.lookUp(connection -> {
            List<ReferenceHead> unmarked = new ArrayList<>();
            try (PreparedStatement query = connection.prepareStatement(
                    "SELECT 1 FROM marked_reference WHERE name = ? AND head = ? AND kind = ?")) {
                for (ReferenceHead reference : references) {
                    query.setString(1, reference.name());
                    query.setBytes(2, reference.head().toBytes());
                    query.setString(3, reference.kind().name());
                    try (ResultSet row = query.executeQuery()) {
                        if (!row.next()) {
                            unmarked.add(reference);
                        }
                    }
                }
            }
            return unmarked;
        });
    }

    /**
     * Makes the commits of a reference live down to its cutoff, with what they put.
     *
     * <p>Ends early at a commit from which the line is live at least as far already, so a line that many references share
     * is walked once. Costs two look-ups per commit walked.
     *
     * @param reference its whole line is in the {@link CommitLog}
     */
    public void markLine(ReferenceHead reference, Cutoff cutoff) {
        database.change(connection -> new LineWalk(connection, cutoff).walk(reference));
    }

    /**
     * The commits whose trees are yet to be read, in the order of time, each based on the one before it.
     *
     * @return empty when everything that live commits show is in the live set
     */
    public List<Anchor> unreadAnchors() {
        return database.lookUp(connection -> {
            List<Anchor> anchors = new ArrayList<>();
            try (PreparedStatement query = connection.prepareStatement("""
                            SELECT c.id, a.is_read FROM anchor a JOIN commit_row c ON c.number = a.commit_number
                            WHERE NOT EXISTS (
                                SELECT 1 FROM commit_row p JOIN live_commit l ON l.commit_number = p.number
                                WHERE p.id = c.parent)
                            ORDER BY c.committed_at_micros, c.number""");
                    ResultSet rows = query.executeQuery()) {
                Optional<CommitId> base = readAnchor(connection);
                while (rows.next()) {
                    CommitId commit = CommitId.of(rows.getBytes(1));
                    if (rows.getInt(2) == 0) {
                        anchors.add(new Anchor(commit, base));
                    }
                    base = Optional.of(commit);
                }
            }
            return anchors;
        });
    }

    /** Any anchor whose tree is in the live set: a base for those that have none before them. */
    private static Optional<CommitId> readAnchor(Connection connection) throws SQLException {
        try (PreparedStatement query = connection.prepareStatement("""
                        SELECT c.id FROM anchor a JOIN commit_row c ON c.number = a.commit_number
                        WHERE a.is_read = 1 ORDER BY c.committed_at_micros, c.number LIMIT 1""");
                ResultSet row = query.executeQuery()) {
            return row.next() ? Optional.of(CommitId.of(row.getBytes(1))) : Optional.empty();
        }
    }

    /** Makes entries of an anchor's tree live; may be called many times for its parts. */
    public void addTree(CommitId anchor, List<CatalogEntry> entries) {
        database.change(connection -> {
            try (PreparedStatement insert =
                            connection.prepareStatement("INSERT OR IGNORE INTO tree_entry VALUES (?, ?, ?, ?)");
                    PreparedStatement live =
                            connection.prepareStatement("INSERT OR IGNORE INTO live_pointer (pointer) VALUES (?)");
                    Contents contents = new Contents(connection)) {
                long number = number(connection, anchor);
                for (CatalogEntry entry : entries) {
                    Optional<Long> pointer = contents.add(entry, Instant.EPOCH);
                    if (pointer.isPresent()) {
                        insert.setLong(1, number);
                        insert.setString(2, Keys.text(entry.key()));
                        insert.setString(3, entry.contentId());
                        insert.setLong(4, pointer.get());
                        insert.executeUpdate();
                        live.setLong(1, pointer.get());
                        live.executeUpdate();
                    }
                }
            }
        });
    }

    /** Records that all parts of an anchor's tree were added. */
    public void recordRead(CommitId anchor) {
        database.change(connection -> {
            try (PreparedStatement update =
                    connection.prepareStatement("UPDATE anchor SET is_read = 1 WHERE commit_number = ?")) {
                update.setLong(1, number(connection, anchor));
                update.executeUpdate();
            }
        });
    }

    /** Some live pointers whose files are not in the set of live files yet; empty when all are. */
    public List<LivePointer> unexpanded(int limit) {
        return database.lookUp(connection -> {
            List<LivePointer> pointers = new ArrayList<>();
            try (PreparedStatement query = connection.prepareStatement("""
                    SELECT p.number, p.kind, p.metadata_location, p.version_id
                    FROM live_pointer l JOIN pointer p ON p.number = l.pointer
                    WHERE l.is_expanded = 0 ORDER BY l.pointer LIMIT ?""")) {
                query.setInt(1, limit);
                try (ResultSet rows = query.executeQuery()) {
                    while (rows.next()) {
                        pointers.add(new LivePointer(rows.getLong(1), pointer(rows)));
                    }
                }
            }
            return pointers;
        });
    }

    /** Records that the files of a pointer are in the set of live files. */
    public void recordExpanded(LivePointer pointer) {
        database.change(connection -> {
            try (PreparedStatement update =
                    connection.prepareStatement("UPDATE live_pointer SET is_expanded = 1 WHERE pointer = ?")) {
                update.setLong(1, pointer.number());
                update.executeUpdate();
            }
        });
    }

    /** How many pointers are live. */
    public long count() {
        return count("SELECT count(*) FROM live_pointer");
    }

    /** How many of them are not expanded yet. */
    public long unexpandedCount() {
        return count("SELECT count(*) FROM live_pointer WHERE is_expanded = 0");
    }

    private long count(String sql) {
        return database.lookUp(connection -> {
            try (PreparedStatement query = connection.prepareStatement(sql);
                    ResultSet row = query.executeQuery()) {
                return row.getLong(1);
            }
        });
    }

    /**
     * Why a metadata file is live.
     *
     * @param reference a branch or tag that has the commit inside its cutoff, perhaps one of several
     * @param commit shows the content
     * @param versionId the snapshot or version that the content records
     */
    public record Holder(String reference, CommitId commit, ContentKey key, String contentId, long versionId) {}

    /** The live commits that put contents with a metadata file, or show them as the lowest live ones; youngest first. */
    public List<Holder> holders(String metadataLocation, int limit) {
        return database.lookUp(connection -> {
            List<Holder> holders = new ArrayList<>();
            try (PreparedStatement query = connection.prepareStatement("""
                    SELECT r.name, c.id, s.key, s.content_id, p.version_id, c.committed_at_micros, c.number
                    FROM pointer p JOIN put s ON s.pointer = p.number
                        JOIN live_commit l ON l.commit_number = s.commit_number
                        JOIN commit_row c ON c.number = s.commit_number
                        JOIN marked_reference r ON r.id = l.reference
                    WHERE p.metadata_location = ?1
                    UNION
                    SELECT r.name, c.id, s.key, s.content_id, p.version_id, c.committed_at_micros, c.number
                    FROM pointer p JOIN tree_entry s ON s.pointer = p.number
                        JOIN live_commit l ON l.commit_number = s.commit_number
                        JOIN commit_row c ON c.number = s.commit_number
                        JOIN marked_reference r ON r.id = l.reference
                    WHERE p.metadata_location = ?1
                    ORDER BY 6 DESC, 7 DESC LIMIT ?2""")) {
                query.setString(1, metadataLocation);
                query.setInt(2, limit);
                try (ResultSet rows = query.executeQuery()) {
                    while (rows.next()) {
                        holders.add(new Holder(
                                rows.getString(1),
                                CommitId.of(rows.getBytes(2)),
                                Keys.parse(rows.getString(3)),
                                rows.getString(4),
                                rows.getLong(5)));
                    }
                }
            }
            return holders;
        });
    }

    static ContentPointer pointer(ResultSet row) throws SQLException {
        return new ContentPointer(
                ContentPointer.Kind.valueOf(row.getString("kind")),
                row.getString("metadata_location"),
                row.getLong("version_id"));
    }

    private static long number(Connection connection, CommitId id) throws SQLException {
        try (PreparedStatement query = connection.prepareStatement("SELECT number FROM commit_row WHERE id = ?")) {
            query.setBytes(1, id.toBytes());
            try (ResultSet row = query.executeQuery()) {
                if (!row.next()) {
                    throw new IllegalArgumentException("Commit " + id + " is not in the log");
                }
                return row.getLong(1);
            }
        }
    }

    /** The walk down one line, within one transaction. */
    private static final class LineWalk {

        /** Of commits from which the line is live for some number of commits only. */
        private static final long NOT_WHOLE = Long.MAX_VALUE;

        private final Connection connection;
        private final long commits;
        private final long oldest;

        LineWalk(Connection connection, Cutoff cutoff) {
            this.connection = connection;
            this.commits = cutoff.commits();
            this.oldest = Micros.of(cutoff.oldest());
        }

        void walk(ReferenceHead reference) throws SQLException {
            long id;
            try (PreparedStatement insert = connection.prepareStatement("""
                    INSERT INTO marked_reference (kind, name, head) VALUES (?, ?, ?)
                    ON CONFLICT (name, head) DO UPDATE SET kind = excluded.kind RETURNING id""")) {
                insert.setString(1, reference.kind().name());
                insert.setString(2, reference.name());
                insert.setBytes(3, reference.head().toBytes());
                try (ResultSet row = insert.executeQuery()) {
                    id = row.getLong(1);
                }
            }
            walk(id, reference.head());
        }

        private void walk(long reference, CommitId head) throws SQLException {
            long wholeSince = commits == Long.MAX_VALUE ? oldest : NOT_WHOLE;
            long lowest = -1;
            long position = 0;
            CommitId next = head;
            try (PreparedStatement find = connection.prepareStatement("""
                            SELECT c.number, c.parent, c.committed_at_micros, l.whole_since_micros
                            FROM commit_row c LEFT JOIN live_commit l ON l.commit_number = c.number WHERE c.id = ?""");
                    PreparedStatement insert = connection.prepareStatement("INSERT INTO live_commit VALUES (?, ?, ?)");
                    PreparedStatement extend = connection.prepareStatement("""
                            UPDATE live_commit SET whole_since_micros = min(whole_since_micros, ?)
                            WHERE commit_number = ?""");
                    PreparedStatement puts = connection.prepareStatement("""
                            INSERT OR IGNORE INTO live_pointer (pointer)
                            SELECT pointer FROM put WHERE commit_number = ?""")) {
                while (!next.equals(CommitId.NO_ANCESTOR)) {
                    find.setBytes(1, next.toBytes());
                    try (ResultSet row = find.executeQuery()) {
                        if (!row.next()) {
                            throw new IllegalStateException("Commit " + next + " is not in the log");
                        }
                        position++;
                        if (position > 1 && (position > commits || row.getLong(3) < oldest)) {
                            break;
                        }
                        long known = row.getLong(4);
                        boolean isLive = !row.wasNull();
                        if (isLive && known <= oldest) {
                            return;
                        }
                        lowest = row.getLong(1);
                        next = CommitId.of(row.getBytes(2));
                        if (isLive) {
                            extend.setLong(1, wholeSince);
                            extend.setLong(2, lowest);
                            extend.executeUpdate();
                        } else {
                            insert.setLong(1, lowest);
                            insert.setLong(2, reference);
                            insert.setLong(3, wholeSince);
                            insert.executeUpdate();
                            puts.setLong(1, lowest);
                            puts.executeUpdate();
                        }
                    }
                }
            }
            if (lowest >= 0) {
                try (PreparedStatement anchor =
                        connection.prepareStatement("INSERT OR IGNORE INTO anchor VALUES (?, 0)")) {
                    anchor.setLong(1, lowest);
                    anchor.executeUpdate();
                }
            }
        }
    }
}
