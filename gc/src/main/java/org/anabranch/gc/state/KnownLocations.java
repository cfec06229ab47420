package org.anabranch.gc.state;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.util.ArrayList;
import java.util.List;
import org.anabranch.gc.state.LiveSet.LivePointer;

/**
 * The folders that contents claim or once claimed as their own, also contents that no reference has any more. Kept from run to run: of
 * a dropped table nothing else may be left that tells where it lay.
 */
public final class KnownLocations {

    static final List<String> TABLES = List.of("""
            CREATE TABLE claim (
                content_id TEXT NOT NULL, path TEXT NOT NULL, PRIMARY KEY (content_id, path)) WITHOUT ROWID""", "CREATE TABLE located_pointer (pointer INTEGER PRIMARY KEY)");

    private final Database database;

    KnownLocations(Database database) {
        this.database = database;
    }

    /** Keeps what a pointer's metadata claims, for every content that has or had the pointer. */
    public void add(long pointer, List<String> paths) {
        database.change(connection -> {
            try (PreparedStatement claim = connection.prepareStatement("""
                            INSERT OR IGNORE INTO claim
                            SELECT content_id, ?1 FROM put WHERE pointer = ?2
                            UNION SELECT content_id, ?1 FROM tree_entry WHERE pointer = ?2
                            UNION SELECT content_id, ?1 FROM known_content WHERE pointer = ?2""");
                    PreparedStatement located =
                            connection.prepareStatement("INSERT OR IGNORE INTO located_pointer VALUES (?)")) {
                for (String path : paths) {
                    claim.setString(1, path);
                    claim.setLong(2, pointer);
                    claim.executeUpdate();
                }
                located.setLong(1, pointer);
                located.executeUpdate();
            }
        });
    }

    /**
     * Of each content and folder of metadata files the youngest pointer, unless its claims are kept or were found to be gone.
     *
     * @param after pointers of higher numbers only
     * @return in the order of their numbers
     */
    public List<LivePointer> unlocated(long after, int limit) {
        return database.lookUp(connection -> {
            List<LivePointer> pointers = new ArrayList<>();
            try (PreparedStatement query = connection.prepareStatement("""
                    SELECT DISTINCT p.number, p.kind, p.metadata_location, p.version_id
                    FROM pointer p JOIN known_content k ON k.pointer = p.number
                    WHERE p.number > ? AND NOT EXISTS (SELECT 1 FROM located_pointer l WHERE l.pointer = p.number)
                    ORDER BY p.number LIMIT ?""")) {
                query.setLong(1, after);
                query.setInt(2, limit);
                try (ResultSet rows = query.executeQuery()) {
                    while (rows.next()) {
                        pointers.add(new LivePointer(rows.getLong(1), LiveSet.pointer(rows)));
                    }
                }
            }
            return pointers;
        });
    }

    /** The paths of all folders that any content claims or claimed, each once, in order. */
    public List<String> claims() {
        return database.lookUp(connection -> {
            List<String> claims = new ArrayList<>();
            try (PreparedStatement query =
                            connection.prepareStatement("SELECT DISTINCT path FROM claim ORDER BY path");
                    ResultSet rows = query.executeQuery()) {
                while (rows.next()) {
                    claims.add(rows.getString(1));
                }
            }
            return claims;
        });
    }
}
