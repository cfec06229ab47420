package org.anabranch.store.embedded;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;
import org.anabranch.store.Change;
import org.anabranch.store.CommitLinks;
import org.anabranch.store.CommitRow;
import org.anabranch.store.Condemned;
import org.anabranch.store.Receipt;
import org.anabranch.store.ReferenceRow;
import org.anabranch.store.RepositoryRow;
import org.anabranch.store.WriteOutcome;
import org.anabranch.store.WriteOutcome.AdoptedMissing;
import org.anabranch.store.WriteOutcome.ReceiptTaken;
import org.anabranch.store.WriteOutcome.ReferenceMoved;
import org.anabranch.store.WriteOutcome.RepositoryChanged;
import org.anabranch.store.WriteOutcome.Written;
import org.anabranch.store.sql.RowCodec;

/**
 * The one connection that writes and its prepared statements, for one thread. Its methods leave their changes in the open
 * transaction, for the caller to commit or, if one of them throws, to roll back.
 */
final class Writer {

    private final Reader reader;
    private final PreparedStatement insertRow;
    private final PreparedStatement rowId;
    private final PreparedStatement insertChunk;
    private final PreparedStatement createReference;
    private final PreparedStatement moveReference;
    private final PreparedStatement deleteReference;
    private final PreparedStatement createRepository;
    private final PreparedStatement replaceRepository;
    private final PreparedStatement deleteConfigs;
    private final PreparedStatement insertConfig;
    private final PreparedStatement insertReceipt;
    private final PreparedStatement deleteReceipt;
    private final PreparedStatement deleteReceipts;
    private final PreparedStatement takeNumbers;
    private final PreparedStatement condemn;
    private final PreparedStatement spare;
    private final PreparedStatement unmark;
    private final PreparedStatement deleteRow;
    private final PreparedStatement deleteChunks;

    /** @param reader on the same connection, to see what the open transaction sees */
    Writer(Connection connection, Reader reader) throws SQLException {
        this.reader = reader;
        insertRow = connection.prepareStatement("INSERT INTO commit_row VALUES (?, ?, ?) ON CONFLICT DO NOTHING");
        rowId = connection.prepareStatement("SELECT id FROM commit_row WHERE number = ?");
        insertChunk = connection.prepareStatement("INSERT INTO chunk VALUES (?, ?)");
        createReference = connection.prepareStatement(
                "INSERT INTO reference (head_number, head_id, version, published, name, incarnation, kind,"
                        + " created_at_micros) VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING");
        moveReference = connection.prepareStatement("UPDATE reference SET head_number = ?, head_id = ?, version = ?,"
                + " published = ? WHERE name = ? AND incarnation = ? AND version = ?");
        deleteReference =
                connection.prepareStatement("DELETE FROM reference WHERE name = ? AND incarnation = ? AND version = ?");
        createRepository = connection.prepareStatement("INSERT INTO repository (format_version, default_branch,"
                + " oldest_commit_at_micros, version, one, id, salt, created_at_micros)"
                + " VALUES (?, ?, ?, ?, 1, ?, ?, ?) ON CONFLICT DO NOTHING");
        replaceRepository = connection.prepareStatement("UPDATE repository SET format_version = ?, default_branch = ?,"
                + " oldest_commit_at_micros = ?, version = ? WHERE version = ?");
        deleteConfigs = connection.prepareStatement("DELETE FROM repository_config");
        insertConfig = connection.prepareStatement("INSERT INTO repository_config VALUES (?, ?)");
        insertReceipt = connection.prepareStatement("INSERT INTO receipt (scope, request_digest, head_number, head_id,"
                + " response, expires_at_micros) VALUES (?, ?, ?, ?, ?, ?)");
        deleteReceipt = connection.prepareStatement("DELETE FROM receipt WHERE scope = ? AND response = ?");
        deleteReceipts = connection.prepareStatement("DELETE FROM receipt WHERE expires_at_micros < ?");
        takeNumbers = connection.prepareStatement("UPDATE number_block SET next = next + ? RETURNING next");
        condemn = connection.prepareStatement(
                "INSERT INTO condemned SELECT number, ? FROM commit_row WHERE number = ? ON CONFLICT DO NOTHING");
        spare = connection.prepareStatement("DELETE FROM condemned WHERE number IN (SELECT value FROM json_each(?))");
        unmark = connection.prepareStatement("DELETE FROM condemned WHERE number = ? AND at_micros = ?");
        deleteRow = connection.prepareStatement("DELETE FROM commit_row WHERE number = ?");
        deleteChunks = connection.prepareStatement("DELETE FROM chunk WHERE address BETWEEN ? AND ?");
    }

    /** Anything but {@link Written} leaves the open transaction as it was. */
    WriteOutcome write(List<CommitRow> rows, Collection<Long> adopted, Change change, List<Receipt> receipts)
            throws SQLException {
        for (Receipt receipt : receipts) {
            Optional<Receipt> existing = reader.receipt(receipt.scope());
            if (existing.isPresent()) {
                return new ReceiptTaken(existing.get());
            }
        }
        List<Long> missing = adopted.isEmpty() ? List.of() : reader.missing(adopted);
        boolean applied = missing.isEmpty()
                && switch (change) {
                    case Change.OfReference reference -> apply(reference);
                    case Change.OfRepository repository -> apply(repository);
                };
        if (!applied) {
            return refusal(change, missing);
        }
        spare(change.reached(adopted));
        for (CommitRow row : rows) {
            insert(row);
        }
        for (Receipt receipt : receipts) {
            insert(receipt);
        }
        return new Written();
    }

    /** Why a change was not applied. That its row is another one comes before what is {@code missing} of the adopted commits. */
    private WriteOutcome refusal(Change change, List<Long> missing) throws SQLException {
        switch (change) {
            case Change.OfReference reference -> {
                ReferenceRow current = reader.reference(reference.name()).orElse(null);
                if (missing.isEmpty() || !reference.expects(current)) {
                    return new ReferenceMoved(current);
                }
            }
            case Change.OfRepository repository -> {
                RepositoryRow current = reader.repository().orElse(null);
                if (missing.isEmpty() || !repository.expects(current)) {
                    return new RepositoryChanged(current);
                }
            }
        }
        return new AdoptedMissing(new TreeSet<>(missing));
    }

    void forgetReceipt(Receipt receipt) throws SQLException {
        deleteReceipt.setString(1, receipt.scope());
        deleteReceipt.setBytes(2, receipt.response());
        deleteReceipt.executeUpdate();
    }

    void forgetReceipts(long expiredBeforeMicros) throws SQLException {
        deleteReceipts.setLong(1, expiredBeforeMicros);
        deleteReceipts.executeUpdate();
    }

    void condemn(Collection<Long> numbers, long atMicros) throws SQLException {
        for (long number : numbers) {
            condemn.setLong(1, atMicros);
            condemn.setLong(2, number);
            condemn.executeUpdate();
        }
    }

    /** Goes from marked rows to their marked parents. */
    void spare(Collection<Long> numbers) throws SQLException {
        Collection<Long> next = numbers;
        while (!next.isEmpty()) {
            List<CommitLinks> marked = reader.marked(next);
            if (marked.isEmpty()) {
                return;
            }
            spare.setString(
                    1,
                    JsonLists.ofNumbers(marked.stream().map(CommitLinks::number).toList()));
            spare.executeUpdate();
            next = marked.stream()
                    .flatMap(row -> row.parents().stream())
                    .distinct()
                    .toList();
        }
    }

    int delete(Collection<Condemned> marks) throws SQLException {
        int deleted = 0;
        for (Condemned mark : marks) {
            unmark.setLong(1, mark.number());
            unmark.setLong(2, mark.atMicros());
            if (unmark.executeUpdate() == 1) {
                deleteChunks.setLong(1, RowCodec.address(mark.number(), 0));
                deleteChunks.setLong(2, RowCodec.lastAddress(mark.number()));
                deleteChunks.executeUpdate();
                deleteRow.setLong(1, mark.number());
                deleted += deleteRow.executeUpdate();
            }
        }
        return deleted;
    }

    long takeNumbers(int count) throws SQLException {
        takeNumbers.setInt(1, count);
        try (ResultSet next = takeNumbers.executeQuery()) {
            return next.getLong(1) - count;
        }
    }

    private boolean apply(Change.OfReference change) throws SQLException {
        ReferenceRow expected = change.expected();
        ReferenceRow next = change.next();
        if (next == null) {
            deleteReference.setString(1, change.name());
            return isChanged(deleteReference, 2, Objects.requireNonNull(expected));
        }
        PreparedStatement statement = expected == null ? createReference : moveReference;
        statement.setLong(1, next.head().number());
        statement.setBytes(2, next.head().id().toBytes());
        statement.setLong(3, next.version());
        statement.setBytes(4, RowCodec.published(next.published()));
        statement.setString(5, next.name());
        if (expected != null) {
            return isChanged(statement, 6, expected);
        }
        statement.setLong(6, next.incarnation());
        statement.setString(7, next.kind().name());
        statement.setLong(8, next.createdAtMicros());
        return statement.executeUpdate() == 1;
    }

    private static boolean isChanged(PreparedStatement statement, int at, ReferenceRow expected) throws SQLException {
        statement.setLong(at, expected.incarnation());
        statement.setLong(at + 1, expected.version());
        return statement.executeUpdate() == 1;
    }

    private boolean apply(Change.OfRepository change) throws SQLException {
        RepositoryRow expected = change.expected();
        RepositoryRow next = change.next();
        PreparedStatement statement = expected == null ? createRepository : replaceRepository;
        statement.setInt(1, next.formatVersion());
        statement.setString(2, next.defaultBranch());
        statement.setLong(3, next.oldestCommitAtMicros());
        statement.setLong(4, next.version());
        if (expected == null) {
            statement.setString(5, next.id().toString());
            statement.setBytes(6, next.salt());
            statement.setLong(7, next.createdAtMicros());
        } else {
            statement.setLong(5, expected.version());
        }
        if (statement.executeUpdate() != 1) {
            return false;
        }
        deleteConfigs.executeUpdate();
        for (Map.Entry<String, String> config : next.configs().entrySet()) {
            insertConfig.setString(1, config.getKey());
            insertConfig.setString(2, config.getValue());
            insertConfig.executeUpdate();
        }
        return true;
    }

    private void insert(CommitRow row) throws SQLException {
        insertRow.setLong(1, row.number());
        insertRow.setBytes(2, row.id().toBytes());
        insertRow.setBytes(3, RowCodec.parents(row.parents()));
        if (insertRow.executeUpdate() == 0) {
            requireSame(row);
            return;
        }
        for (int chunk = 0; chunk < row.chunks().size(); chunk++) {
            insertChunk.setLong(1, RowCodec.address(row.number(), chunk));
            insertChunk.setBytes(2, row.chunks().get(chunk));
            insertChunk.executeUpdate();
        }
    }

    private void requireSame(CommitRow row) throws SQLException {
        rowId.setLong(1, row.number());
        try (ResultSet stored = rowId.executeQuery()) {
            if (!Arrays.equals(stored.getBytes(1), row.id().toBytes())) {
                throw new IllegalArgumentException("Number " + row.number() + " is taken by another commit");
            }
        }
    }

    private void insert(Receipt receipt) throws SQLException {
        insertReceipt.setString(1, receipt.scope());
        insertReceipt.setBytes(2, receipt.requestDigest());
        insertReceipt.setLong(3, receipt.head().number());
        insertReceipt.setBytes(4, receipt.head().id().toBytes());
        insertReceipt.setBytes(5, receipt.response());
        insertReceipt.setLong(6, receipt.expiresAtMicros());
        insertReceipt.executeUpdate();
    }
}
