package org.anabranch.store.postgres;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import org.anabranch.model.CommitId;
import org.anabranch.model.ReferenceKind;
import org.anabranch.store.ChunkAddress;
import org.anabranch.store.CommitLinks;
import org.anabranch.store.Receipt;
import org.anabranch.store.ReferenceRow;
import org.anabranch.store.RepositoryRow;
import org.anabranch.store.sql.RowCodec;

/**
 * The reads, each of them one statement and one round trip.
 *
 * <p>What is wanted comes as an array, and LATERAL with its LIMIT or OFFSET makes the database look up each of it by index,
 * whatever it believes about the sizes of the tables.
 */
final class Queries {

    private static final String FIND = """
            SELECT wanted.id, stored.address
            FROM unnest(?::bytea[]) AS wanted(id)
            CROSS JOIN LATERAL (
                SELECT address FROM chunk
                WHERE substring(id FROM 1 FOR 8) = substring(wanted.id FROM 1 FOR 8) AND id = wanted.id
                OFFSET 0) AS stored""";

    private static final String FETCH = """
            SELECT wanted.address, stored.bytes
            FROM unnest(?::bigint[]) AS wanted(address)
            CROSS JOIN LATERAL (SELECT bytes FROM chunk WHERE address = wanted.address LIMIT 1) AS stored""";

    private static final String LINKS = """
            SELECT address >> 16 AS number, id, parents FROM chunk
            WHERE address >= ? AND id IS NOT NULL ORDER BY address LIMIT ?""";

    private static final String REFERENCE = "SELECT " + RowCodec.REFERENCE_COLUMNS + " FROM reference WHERE name = ?";

    /** One round trip: the settings hold as long as the transaction. */
    private static final String LOCKED_REFERENCE = "SET LOCAL lock_timeout = " + PostgresTurn.LONGEST_WAIT.toMillis()
            + "; SET LOCAL idle_in_transaction_session_timeout = " + PostgresTurn.LONGEST_IDLE.toMillis() + "; "
            + REFERENCE + " FOR UPDATE";

    private static final String REFERENCES = "SELECT " + RowCodec.REFERENCE_COLUMNS
            + " FROM reference WHERE kind = ? AND name > ? ORDER BY name LIMIT ?";

    private static final String REPOSITORY = "SELECT * FROM repository WHERE one = 1";

    private static final String RECEIPT = "SELECT * FROM receipt WHERE scope = ?";

    private static final String RECEIPTS = "SELECT * FROM receipt WHERE scope > ? ORDER BY scope LIMIT ?";

    private static final String CLOCK = "SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint";

    private static final String MISSING = """
            SELECT wanted.address
            FROM unnest(?::bigint[]) AS wanted(address)
            WHERE (SELECT stored.address FROM chunk AS stored WHERE stored.address = wanted.address) IS NULL""";

    private Queries() {}

    static Map<CommitId, Long> find(Connection connection, Collection<CommitId> ids) throws SQLException {
        byte[][] wanted = ids.stream().map(CommitId::toBytes).toArray(byte[][]::new);
        Map<CommitId, Long> found = new HashMap<>();
        try (PreparedStatement statement = connection.prepareStatement(FIND)) {
            statement.setArray(1, connection.createArrayOf("bytea", wanted));
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    found.merge(CommitId.of(rows.getBytes(1)), rows.getLong(2) >> RowCodec.CHUNK_BITS, Math::min);
                }
            }
        }
        return found;
    }

    static List<byte[]> fetch(Connection connection, List<ChunkAddress> chunks) throws SQLException {
        Map<Long, byte[]> stored = new HashMap<>();
        try (PreparedStatement statement = connection.prepareStatement(FETCH)) {
            Long[] wanted = chunks.stream().map(RowCodec::address).toArray(Long[]::new);
            statement.setArray(1, connection.createArrayOf("bigint", wanted));
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    stored.put(rows.getLong(1), rows.getBytes(2));
                }
            }
        }
        return RowCodec.inOrder(chunks, stored);
    }

    static List<CommitLinks> links(Connection connection, long afterNumber, int limit) throws SQLException {
        List<CommitLinks> listed = new ArrayList<>();
        try (PreparedStatement statement = connection.prepareStatement(LINKS)) {
            statement.setLong(1, RowCodec.address(afterNumber + 1, 0));
            statement.setInt(2, limit);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    listed.add(RowCodec.links(rows));
                }
            }
        }
        return listed;
    }

    static Optional<ReferenceRow> reference(Connection connection, String name) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(REFERENCE)) {
            statement.setString(1, name);
            try (ResultSet rows = statement.executeQuery()) {
                return rows.next() ? Optional.of(RowCodec.reference(rows)) : Optional.empty();
            }
        }
    }

    /** As {@link #reference}, when nobody else holds its row; holds it until the end of the open transaction. */
    static Optional<ReferenceRow> lockedReference(Connection connection, String name) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(LOCKED_REFERENCE)) {
            statement.setString(1, name);
            boolean isRows = statement.execute();
            while (!isRows) {
                isRows = statement.getMoreResults();
            }
            try (ResultSet rows = statement.getResultSet()) {
                return rows.next() ? Optional.of(RowCodec.reference(rows)) : Optional.empty();
            }
        }
    }

    static List<ReferenceRow> references(Connection connection, ReferenceKind kind, String afterName, int limit)
            throws SQLException {
        List<ReferenceRow> listed = new ArrayList<>();
        try (PreparedStatement statement = connection.prepareStatement(REFERENCES)) {
            statement.setString(1, kind.name());
            statement.setString(2, afterName);
            statement.setInt(3, limit);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    listed.add(RowCodec.reference(rows));
                }
            }
        }
        return listed;
    }

    static Optional<RepositoryRow> repository(Connection connection) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(REPOSITORY);
                ResultSet rows = statement.executeQuery()) {
            if (!rows.next()) {
                return Optional.empty();
            }
            String[] texts = (String[]) rows.getArray("configs").getArray();
            Map<String, String> configs = new TreeMap<>();
            for (int at = 0; at < texts.length; at += 2) {
                configs.put(texts[at], texts[at + 1]);
            }
            return Optional.of(new RepositoryRow(
                    UUID.fromString(rows.getString("id")),
                    rows.getInt("format_version"),
                    rows.getBytes("salt"),
                    rows.getString("default_branch"),
                    rows.getLong("created_at_micros"),
                    rows.getLong("oldest_commit_at_micros"),
                    configs,
                    rows.getLong("version")));
        }
    }

    static Optional<Receipt> receipt(Connection connection, String scope) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(RECEIPT)) {
            statement.setString(1, scope);
            try (ResultSet rows = statement.executeQuery()) {
                return rows.next() ? Optional.of(RowCodec.receipt(rows)) : Optional.empty();
            }
        }
    }

    static List<Receipt> receiptsAfter(Connection connection, String afterScope, int limit) throws SQLException {
        List<Receipt> listed = new ArrayList<>();
        try (PreparedStatement statement = connection.prepareStatement(RECEIPTS)) {
            statement.setString(1, afterScope);
            statement.setInt(2, limit);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    listed.add(RowCodec.receipt(rows));
                }
            }
        }
        return listed;
    }

    static long clockMicros(Connection connection) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(CLOCK);
                ResultSet time = statement.executeQuery()) {
            time.next();
            return time.getLong(1);
        }
    }

    /** Those of the numbers, 0 aside, under which no commit row is stored. */
    static List<Long> missing(Connection connection, Collection<Long> numbers) throws SQLException {
        List<Long> absent = new ArrayList<>();
        try (PreparedStatement statement = connection.prepareStatement(MISSING)) {
            statement.setArray(1, connection.createArrayOf("bigint", WriteStatement.addresses(numbers)));
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    absent.add(rows.getLong(1) >> RowCodec.CHUNK_BITS);
                }
            }
        }
        return absent;
    }
}
