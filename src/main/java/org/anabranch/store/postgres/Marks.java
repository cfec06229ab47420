package org.anabranch.store.postgres;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;
import org.anabranch.store.CommitLinks;
import org.anabranch.store.Condemned;
import org.anabranch.store.sql.RowCodec;

/** The marks of condemned rows, and the end of those rows. What changes something does no harm if it is done twice. */
final class Marks {

    private static final String LINKS = """
        SELECT stored.address >> 16 AS number, stored.id, stored.parents
        FROM unnest(?::bigint[]) AS wanted(address)
        CROSS JOIN LATERAL (
            SELECT address, id, parents FROM chunk WHERE chunk.address = wanted.address LIMIT 1) AS stored\
        """;

    private static final String CONDEMN = """
        INSERT INTO condemned (number, at_micros, parents)
        SELECT wanted.number, ?, wanted.parents::bigint[]
        FROM unnest(?::bigint[], ?::text[]) AS wanted(number, parents)
        ON CONFLICT (number) DO NOTHING\
        """;

    private static final String CONDEMNED =
            "SELECT number, at_micros FROM condemned WHERE number > ? ORDER BY number LIMIT ?";

    private static final String SPARE = """
        WITH RECURSIVE doomed AS (
            SELECT number, parents FROM condemned WHERE number = ANY (?::bigint[])
            UNION
            SELECT marked.number, marked.parents FROM doomed
            CROSS JOIN LATERAL unnest(doomed.parents) AS parent(number)
            CROSS JOIN LATERAL (
                SELECT number, parents FROM condemned WHERE condemned.number = parent.number LIMIT 1) AS marked
        )
        DELETE FROM condemned WHERE number = ANY (ARRAY(SELECT number FROM doomed))\
        """;

    private static final String UNMARK = "DELETE FROM condemned WHERE number = ? AND at_micros = ?";

    private static final String DELETE_CHUNKS = "DELETE FROM chunk WHERE address >= ? AND address <= ?";

    private Marks() {}

    /** Keeps the parents with the mark, as numbers, so that a write finds its way from mark to mark. */
    static void condemn(Connection connection, Collection<Long> numbers, long atMicros) throws SQLException {
        List<CommitLinks> rows = links(connection, numbers);
        try (PreparedStatement statement = connection.prepareStatement(CONDEMN)) {
            statement.setLong(1, atMicros);
            statement.setArray(
                    2,
                    connection.createArrayOf(
                            "bigint", rows.stream().map(CommitLinks::number).toArray()));
            statement.setArray(
                    3,
                    connection.createArrayOf(
                            "text",
                            rows.stream().map(row -> literal(row.parents())).toArray()));
            statement.executeUpdate();
        }
    }

    private static List<CommitLinks> links(Connection connection, Collection<Long> numbers) throws SQLException {
        List<CommitLinks> links = new ArrayList<>();
        try (PreparedStatement statement = connection.prepareStatement(LINKS)) {
            statement.setArray(1, connection.createArrayOf("bigint", WriteStatement.addresses(numbers)));
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    links.add(RowCodec.links(rows));
                }
            }
        }
        return links;
    }

    /** An array as text, because arrays of arrays must all have one length. */
    private static String literal(List<Long> numbers) {
        return numbers.stream().map(String::valueOf).collect(Collectors.joining(",", "{", "}"));
    }

    static List<Condemned> list(Connection connection, long afterNumber, int limit) throws SQLException {
        List<Condemned> listed = new ArrayList<>();
        try (PreparedStatement statement = connection.prepareStatement(CONDEMNED)) {
            statement.setLong(1, afterNumber);
            statement.setInt(2, limit);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    listed.add(new Condemned(rows.getLong(1), rows.getLong(2)));
                }
            }
        }
        return listed;
    }

    static void spare(Connection connection, Collection<Long> numbers) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(SPARE)) {
            statement.setArray(1, connection.createArrayOf("bigint", numbers.toArray()));
            statement.executeUpdate();
        }
    }

    /** In one transaction: a mark is taken by a write or by us, and its row goes with it in the second case. */
    static int delete(Connection connection, Collection<Condemned> marks) throws SQLException {
        connection.setAutoCommit(false);
        try {
            List<Long> taken = unmark(connection, List.copyOf(marks));
            try (PreparedStatement statement = connection.prepareStatement(DELETE_CHUNKS)) {
                for (long number : taken) {
                    statement.setLong(1, RowCodec.address(number, 0));
                    statement.setLong(2, RowCodec.lastAddress(number));
                    statement.addBatch();
                }
                statement.executeBatch();
            }
            connection.commit();
            return taken.size();
        } catch (SQLException e) {
            connection.rollback();
            throw e;
        } finally {
            connection.setAutoCommit(true);
        }
    }

    private static List<Long> unmark(Connection connection, List<Condemned> marks) throws SQLException {
        List<Long> taken = new ArrayList<>();
        try (PreparedStatement statement = connection.prepareStatement(UNMARK)) {
            for (Condemned mark : marks) {
                statement.setLong(1, mark.number());
                statement.setLong(2, mark.atMicros());
                statement.addBatch();
            }
            int[] counts = statement.executeBatch();
            for (int i = 0; i < counts.length; i++) {
                if (counts[i] == 1) {
                    taken.add(marks.get(i).number());
                }
            }
        }
        return taken;
    }
}
