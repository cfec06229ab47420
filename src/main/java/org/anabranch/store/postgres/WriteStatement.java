package org.anabranch.store.postgres;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import org.anabranch.store.Change;
import org.anabranch.store.CommitRow;
import org.anabranch.store.Receipt;
import org.anabranch.store.ReferenceRow;
import org.anabranch.store.RepositoryRow;
import org.anabranch.store.sql.RowCodec;
import org.jspecify.annotations.Nullable;

/**
 * The conditional write as one statement, which is a transaction of its own: one round trip and one sync, whatever it holds.
 *
 * <p>Its parts depend on one another from top to bottom:
 *
 * <ol>
 *   <li>{@code refused} has a row if a receipt's scope is taken or an adopted commit is missing;
 *   <li>{@code doomed} are the marks that must go, from one marked row to its marked parents;
 *   <li>{@code changed} changes the mutable row, if it is as expected and nothing is refused;
 *   <li>{@code stored} and {@code kept} insert rows and receipts if it did, and {@code spared} takes the marks.
 * </ol>
 *
 * <p>Of two writers of one reference, the second waits in step 3 for the first, and then the database compares incarnation and
 * version again with what the first one wrote. So the condition needs nothing above READ COMMITTED. The other parts see the
 * state of the statement's start. A receipt of the same scope that came since then fails the whole statement by its unique key,
 * and the next attempt sees it. So does a sweep that deletes a row whose mark should go: then fewer marks are taken than were
 * seen, and the last line divides by zero.
 */
final class WriteStatement {

    private static final String REFUSED = """
        WITH RECURSIVE refused AS (
            SELECT 1 FROM unnest(?::text[]) AS wanted(scope)
            WHERE (SELECT taken.scope FROM receipt AS taken WHERE taken.scope = wanted.scope) IS NOT NULL
            UNION ALL
            SELECT 1 FROM unnest(?::bigint[]) AS adopted(address)
            WHERE (SELECT stored.address FROM chunk AS stored WHERE stored.address = adopted.address) IS NULL
        ), doomed AS (
            SELECT marked.number, marked.parents FROM unnest(?::bigint[]) AS reached(number)
            CROSS JOIN LATERAL (
                SELECT number, parents FROM condemned WHERE condemned.number = reached.number LIMIT 1) AS marked
            UNION
            SELECT marked.number, marked.parents FROM doomed
            CROSS JOIN LATERAL unnest(doomed.parents) AS parent(number)
            CROSS JOIN LATERAL (
                SELECT number, parents FROM condemned WHERE condemned.number = parent.number LIMIT 1) AS marked
        ), changed AS (
        """;

    private static final String CREATE_REFERENCE = """
        INSERT INTO reference
            (head_number, head_id, version, published, name, incarnation, kind, created_at_micros)
        SELECT ?, ?, ?, ?, ?, ?, ?, ? WHERE NOT EXISTS (SELECT 1 FROM refused)
        ON CONFLICT (name) DO NOTHING\
        """;

    private static final String MOVE_REFERENCE = """
        UPDATE reference SET head_number = ?, head_id = ?, version = ?, published = ?
        WHERE name = ? AND incarnation = ? AND version = ? AND NOT EXISTS (SELECT 1 FROM refused)\
        """;

    private static final String DELETE_REFERENCE = """
        DELETE FROM reference
        WHERE name = ? AND incarnation = ? AND version = ? AND NOT EXISTS (SELECT 1 FROM refused)\
        """;

    private static final String CREATE_REPOSITORY = """
        INSERT INTO repository
            (format_version, default_branch, oldest_commit_at_micros, configs, version, one, id, salt, created_at_micros)
        SELECT ?, ?, ?, ?, ?, 1, ?, ?, ? WHERE NOT EXISTS (SELECT 1 FROM refused)
        ON CONFLICT (one) DO NOTHING\
        """;

    private static final String REPLACE_REPOSITORY = """
        UPDATE repository SET format_version = ?, default_branch = ?, oldest_commit_at_micros = ?, configs = ?,
            version = ?
        WHERE one = 1 AND version = ? AND NOT EXISTS (SELECT 1 FROM refused)\
        """;

    /**
     * A row that is there already stays. One with the same number and another id must not: it would take the place of a commit, as
     * after a restored backup under a process that has numbers from before. The null fails the statement.
     */
    private static final String STORED = """
         RETURNING 1
        ), stored AS (
            INSERT INTO chunk AS old (address, id, parents, bytes)
            SELECT * FROM unnest(?::bigint[], ?::bytea[], ?::bytea[], ?::bytea[])
            WHERE EXISTS (SELECT 1 FROM changed)
            ON CONFLICT (address) DO UPDATE SET bytes = NULL WHERE old.id <> excluded.id
        ), kept AS (
            INSERT INTO receipt (scope, request_digest, head_number, head_id, response, expires_at_micros)
            SELECT * FROM unnest(?::text[], ?::bytea[], ?::bigint[], ?::bytea[], ?::bytea[], ?::bigint[])
            WHERE EXISTS (SELECT 1 FROM changed)
        ), spared AS (
            DELETE FROM condemned
            WHERE number = ANY (ARRAY(SELECT number FROM doomed)) AND EXISTS (SELECT 1 FROM changed)
            RETURNING 1
        )
        SELECT 1 / (SELECT ((SELECT count(*) FROM spared) = (SELECT count(*) FROM doomed))::integer) FROM changed\
        """;

    /** What the database says when a number is taken by another commit. */
    private static final String NOT_NULL_VIOLATION = "23502";

    private final PreparedStatement statement;
    private int parameter;

    private WriteStatement(PreparedStatement statement) {
        this.statement = statement;
    }

    /**
     * Executes the write.
     *
     * @return whether everything is written; if not, nothing is
     * @throws IllegalArgumentException if a number is taken by another commit; nothing is written
     */
    static boolean execute(
            Connection connection,
            List<CommitRow> rows,
            Collection<Long> adopted,
            Change change,
            List<Receipt> receipts)
            throws SQLException {
        return execute(connection, "", rows, adopted, change, receipts);
    }

    /**
     * As {@link #execute}, for a connection with an open transaction, which ends in the same round trip: after an error of the
     * write the server skips the commit.
     */
    static boolean executeAndCommit(
            Connection connection,
            List<CommitRow> rows,
            Collection<Long> adopted,
            Change change,
            List<Receipt> receipts)
            throws SQLException {
        return execute(connection, "; COMMIT", rows, adopted, change, receipts);
    }

    private static boolean execute(
            Connection connection,
            String then,
            List<CommitRow> rows,
            Collection<Long> adopted,
            Change change,
            List<Receipt> receipts)
            throws SQLException {
        try (PreparedStatement prepared = connection.prepareStatement(REFUSED + changing(change) + STORED + then)) {
            WriteStatement write = new WriteStatement(prepared);
            write.array("text", receipts.stream().map(Receipt::scope).toArray());
            write.array("bigint", addresses(adopted));
            write.array("bigint", change.reached(adopted).toArray());
            switch (change) {
                case Change.OfReference(String name, var expected, var next) -> write.bind(name, expected, next);
                case Change.OfRepository(var expected, var next) -> write.bind(expected, next);
            }
            write.bindRows(rows);
            write.bindReceipts(receipts);
            prepared.execute();
            try (ResultSet changed = prepared.getResultSet()) {
                return changed.next();
            }
        } catch (SQLException e) {
            if (NOT_NULL_VIOLATION.equals(e.getSQLState())) {
                throw new IllegalArgumentException(
                        "A number of the rows "
                                + rows.stream().map(CommitRow::number).toList() + " is taken by another commit",
                        e);
            }
            throw e;
        }
    }

    /** Where the first chunks of commits lie; of 0, no ancestor, there is none. */
    static Long[] addresses(Collection<Long> numbers) {
        return numbers.stream()
                .filter(number -> number != 0)
                .map(number -> RowCodec.address(number, 0))
                .toArray(Long[]::new);
    }

    private static String changing(Change change) {
        return switch (change) {
            case Change.OfReference(String name, var expected, var next) ->
                next == null ? DELETE_REFERENCE : expected == null ? CREATE_REFERENCE : MOVE_REFERENCE;
            case Change.OfRepository(var expected, var next) ->
                expected == null ? CREATE_REPOSITORY : REPLACE_REPOSITORY;
        };
    }

    private void bind(String name, @Nullable ReferenceRow expected, @Nullable ReferenceRow next) throws SQLException {
        if (next == null) {
            bindCondition(name, Objects.requireNonNull(expected));
            return;
        }
        statement.setLong(++parameter, next.head().number());
        statement.setBytes(++parameter, next.head().id().toBytes());
        statement.setLong(++parameter, next.version());
        statement.setBytes(++parameter, RowCodec.published(next.published()));
        if (expected != null) {
            bindCondition(name, expected);
            return;
        }
        statement.setString(++parameter, name);
        statement.setLong(++parameter, next.incarnation());
        statement.setString(++parameter, next.kind().name());
        statement.setLong(++parameter, next.createdAtMicros());
    }

    private void bindCondition(String name, ReferenceRow expected) throws SQLException {
        statement.setString(++parameter, name);
        statement.setLong(++parameter, expected.incarnation());
        statement.setLong(++parameter, expected.version());
    }

    private void bind(@Nullable RepositoryRow expected, RepositoryRow next) throws SQLException {
        List<String> configs = new ArrayList<>();
        next.configs().forEach((type, json) -> configs.addAll(List.of(type, json)));
        statement.setInt(++parameter, next.formatVersion());
        statement.setString(++parameter, next.defaultBranch());
        statement.setLong(++parameter, next.oldestCommitAtMicros());
        array("text", configs.toArray());
        statement.setLong(++parameter, next.version());
        if (expected != null) {
            statement.setLong(++parameter, expected.version());
            return;
        }
        statement.setString(++parameter, next.id().toString());
        statement.setBytes(++parameter, next.salt());
        statement.setLong(++parameter, next.createdAtMicros());
    }

    private void bindRows(List<CommitRow> rows) throws SQLException {
        List<Long> addresses = new ArrayList<>();
        List<byte @Nullable []> ids = new ArrayList<>();
        List<byte @Nullable []> parents = new ArrayList<>();
        List<byte[]> chunks = new ArrayList<>();
        for (CommitRow row : rows) {
            for (int chunk = 0; chunk < row.chunks().size(); chunk++) {
                addresses.add(RowCodec.address(row.number(), chunk));
                ids.add(chunk == 0 ? row.id().toBytes() : null);
                parents.add(chunk == 0 ? RowCodec.parents(row.parents()) : null);
                chunks.add(row.chunks().get(chunk));
            }
        }
        array("bigint", addresses.toArray());
        array("bytea", ids.toArray(byte[][]::new));
        array("bytea", parents.toArray(byte[][]::new));
        array("bytea", chunks.toArray(byte[][]::new));
    }

    private void bindReceipts(List<Receipt> receipts) throws SQLException {
        array("text", receipts.stream().map(Receipt::scope).toArray());
        array("bytea", receipts.stream().map(Receipt::requestDigest).toArray(byte[][]::new));
        array(
                "bigint",
                receipts.stream().map(receipt -> receipt.head().number()).toArray());
        array(
                "bytea",
                receipts.stream().map(receipt -> receipt.head().id().toBytes()).toArray(byte[][]::new));
        array("bytea", receipts.stream().map(Receipt::response).toArray(byte[][]::new));
        array("bigint", receipts.stream().map(Receipt::expiresAtMicros).toArray());
    }

    private void array(String type, Object[] values) throws SQLException {
        statement.setArray(++parameter, statement.getConnection().createArrayOf(type, values));
    }
}
