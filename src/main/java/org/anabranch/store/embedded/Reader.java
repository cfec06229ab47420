package org.anabranch.store.embedded;

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
import org.anabranch.store.Condemned;
import org.anabranch.store.Receipt;
import org.anabranch.store.ReferenceRow;
import org.anabranch.store.RepositoryRow;
import org.anabranch.store.sql.RowCodec;

/**
 * One connection and its prepared queries, for one thread at a time. Every method is one statement, so it sees one state
 * of the store, but for {@link #missing} and {@link #marked}: they are for an open transaction, and for few numbers.
 */
final class Reader implements AutoCloseable {

    private final Connection connection;
    private final PreparedStatement find;
    private final PreparedStatement fetch;
    private final PreparedStatement links;
    private final PreparedStatement reference;
    private final PreparedStatement references;
    private final PreparedStatement repository;
    private final PreparedStatement receipt;
    private final PreparedStatement receiptsAfter;
    private final PreparedStatement stored;
    private final PreparedStatement condemned;
    private final PreparedStatement marked;

    Reader(Connection connection) throws SQLException {
        this.connection = connection;
        // CROSS JOIN keeps SQLite from turning the loops round: the wanted ones are few, the stored ones many.
        find = connection.prepareStatement("SELECT stored.id, min(stored.number) FROM json_each(?) wanted"
                + " CROSS JOIN commit_row stored ON stored.id = unhex(wanted.value) GROUP BY stored.id");
        fetch = connection.prepareStatement("SELECT stored.address, stored.bytes FROM json_each(?) wanted"
                + " CROSS JOIN chunk stored ON stored.address = wanted.value");
        links = connection.prepareStatement("SELECT * FROM commit_row WHERE number > ? ORDER BY number LIMIT ?");
        reference =
                connection.prepareStatement("SELECT " + RowCodec.REFERENCE_COLUMNS + " FROM reference WHERE name = ?");
        references = connection.prepareStatement("SELECT " + RowCodec.REFERENCE_COLUMNS
                + " FROM reference WHERE kind = ? AND name > ? ORDER BY name LIMIT ?");
        repository = connection.prepareStatement(
                "SELECT repository.*, type, json FROM repository LEFT JOIN repository_config");
        receipt = connection.prepareStatement("SELECT * FROM receipt WHERE scope = ?");
        receiptsAfter = connection.prepareStatement("SELECT * FROM receipt WHERE scope > ? ORDER BY scope LIMIT ?");
        stored = connection.prepareStatement("SELECT 1 FROM commit_row WHERE number = ?");
        condemned = connection.prepareStatement("SELECT * FROM condemned WHERE number > ? ORDER BY number LIMIT ?");
        marked = connection.prepareStatement("SELECT stored.* FROM condemned mark"
                + " CROSS JOIN commit_row stored ON stored.number = mark.number WHERE mark.number = ?");
    }

    Map<CommitId, Long> find(Collection<CommitId> ids) throws SQLException {
        find.setString(1, JsonLists.ofIds(ids));
        Map<CommitId, Long> found = new HashMap<>();
        try (ResultSet rows = find.executeQuery()) {
            while (rows.next()) {
                found.put(CommitId.of(rows.getBytes(1)), rows.getLong(2));
            }
        }
        return found;
    }

    List<byte[]> fetch(List<ChunkAddress> chunks) throws SQLException {
        fetch.setString(
                1, JsonLists.ofNumbers(chunks.stream().map(RowCodec::address).toList()));
        Map<Long, byte[]> stored = new HashMap<>();
        try (ResultSet rows = fetch.executeQuery()) {
            while (rows.next()) {
                stored.put(rows.getLong(1), rows.getBytes(2));
            }
        }
        return RowCodec.inOrder(chunks, stored);
    }

    List<CommitLinks> links(long afterNumber, int limit) throws SQLException {
        links.setLong(1, afterNumber);
        links.setInt(2, limit);
        List<CommitLinks> listed = new ArrayList<>();
        try (ResultSet rows = links.executeQuery()) {
            while (rows.next()) {
                listed.add(RowCodec.links(rows));
            }
        }
        return listed;
    }

    Optional<ReferenceRow> reference(String name) throws SQLException {
        reference.setString(1, name);
        try (ResultSet rows = reference.executeQuery()) {
            return rows.next() ? Optional.of(RowCodec.reference(rows)) : Optional.empty();
        }
    }

    List<ReferenceRow> references(ReferenceKind kind, String afterName, int limit) throws SQLException {
        references.setString(1, kind.name());
        references.setString(2, afterName);
        references.setInt(3, limit);
        List<ReferenceRow> listed = new ArrayList<>();
        try (ResultSet rows = references.executeQuery()) {
            while (rows.next()) {
                listed.add(RowCodec.reference(rows));
            }
        }
        return listed;
    }

    Optional<RepositoryRow> repository() throws SQLException {
        try (ResultSet rows = repository.executeQuery()) {
            if (!rows.next()) {
                return Optional.empty();
            }
            UUID id = UUID.fromString(rows.getString("id"));
            int formatVersion = rows.getInt("format_version");
            byte[] salt = rows.getBytes("salt");
            String defaultBranch = rows.getString("default_branch");
            long createdAt = rows.getLong("created_at_micros");
            long oldestCommitAt = rows.getLong("oldest_commit_at_micros");
            long version = rows.getLong("version");
            Map<String, String> configs = new TreeMap<>();
            do {
                String type = rows.getString("type");
                if (type != null) {
                    configs.put(type, rows.getString("json"));
                }
            } while (rows.next());
            return Optional.of(new RepositoryRow(
                    id, formatVersion, salt, defaultBranch, createdAt, oldestCommitAt, configs, version));
        }
    }

    Optional<Receipt> receipt(String scope) throws SQLException {
        receipt.setString(1, scope);
        try (ResultSet rows = receipt.executeQuery()) {
            return rows.next() ? Optional.of(RowCodec.receipt(rows)) : Optional.empty();
        }
    }

    List<Receipt> receiptsAfter(String afterScope, int limit) throws SQLException {
        receiptsAfter.setString(1, afterScope);
        receiptsAfter.setInt(2, limit);
        List<Receipt> listed = new ArrayList<>();
        try (ResultSet rows = receiptsAfter.executeQuery()) {
            while (rows.next()) {
                listed.add(RowCodec.receipt(rows));
            }
        }
        return listed;
    }

    /** Those of the numbers, 0 aside, under which no commit row is stored. */
    List<Long> missing(Collection<Long> numbers) throws SQLException {
        List<Long> absent = new ArrayList<>();
        for (long number : numbers) {
            stored.setLong(1, number);
            try (ResultSet row = stored.executeQuery()) {
                if (number != 0 && !row.next()) {
                    absent.add(number);
                }
            }
        }
        return absent;
    }

    List<Condemned> condemned(long afterNumber, int limit) throws SQLException {
        condemned.setLong(1, afterNumber);
        condemned.setInt(2, limit);
        List<Condemned> listed = new ArrayList<>();
        try (ResultSet rows = condemned.executeQuery()) {
            while (rows.next()) {
                listed.add(new Condemned(rows.getLong(1), rows.getLong(2)));
            }
        }
        return listed;
    }

    /** Those of the numbers whose rows carry a mark. */
    List<CommitLinks> marked(Collection<Long> numbers) throws SQLException {
        List<CommitLinks> found = new ArrayList<>();
        for (long number : numbers) {
            marked.setLong(1, number);
            try (ResultSet row = marked.executeQuery()) {
                if (row.next()) {
                    found.add(RowCodec.links(row));
                }
            }
        }
        return found;
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
