package org.anabranch.bench.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.anabranch.bench.load.Recording;
import org.anabranch.bench.load.Worker;

/**
 * A writer without a catalog: each transaction inserts one row as large as that of a commit, with the same
 * indexes, and moves the one row of a branch, so writers wait for one another as they must. For one thread.
 */
public final class RawClient implements Worker {

    private static final AtomicLong NUMBERS = new AtomicLong();

    private final Connection connection;
    private final PreparedStatement insert;
    private final PreparedStatement move;
    private final byte[] id = new byte[32];
    private final byte[] row;
    private final byte[] published;
    private final SplittableRandom random = new SplittableRandom(NUMBERS.incrementAndGet());

    /**
     * @param database made by {@link #createTables}
     * @param sizes of what our store writes
     */
    public RawClient(Postgres postgres, String database, Postgres.RowSizes sizes) {
        try {
            connection = postgres.connect(database);
            connection.setAutoCommit(false);
            insert = connection.prepareStatement("INSERT INTO raw_commit (number, id, bytes) VALUES (?, ?, ?)");
            move = connection.prepareStatement(
                    "UPDATE raw_branch SET head = ?, id = ?, version = version + 1, published = ?"
                            + " WHERE name = 'main'");
        } catch (SQLException e) {
            throw new IllegalStateException("the raw client cannot write to " + database, e);
        }
        row = new byte[sizes.commit()];
        published = new byte[sizes.branch()];
    }

    /** Makes the two tables in an empty database. */
    public static void createTables(Postgres postgres, String database) {
        try (Connection connection = postgres.connect(database);
                Statement statement = connection.createStatement()) {
            statement.execute(
                    "CREATE TABLE raw_commit (number bigint PRIMARY KEY, id bytea NOT NULL, bytes bytea NOT NULL)");
            statement.execute("CREATE INDEX ON raw_commit (substring(id FROM 1 FOR 8))");
            statement.execute("CREATE TABLE raw_branch (name text PRIMARY KEY, head bigint NOT NULL, id bytea NOT NULL,"
                    + " version bigint NOT NULL, published bytea NOT NULL) WITH (fillfactor = 50)");
            statement.execute("INSERT INTO raw_branch VALUES ('main', 0, '', 0, '')");
        } catch (SQLException e) {
            throw new IllegalStateException("the tables of the raw client cannot be made in " + database, e);
        }
    }

    @Override
    public void turn(Recording recording) throws SQLException {
        random.nextBytes(id);
        random.nextBytes(row);
        random.nextBytes(published);
        long number = NUMBERS.incrementAndGet();
        long began = System.nanoTime();
        insert.setLong(1, number);
        insert.setBytes(2, id);
        insert.setBytes(3, row);
        insert.executeUpdate();
        move.setLong(1, number);
        move.setBytes(2, id);
        move.setBytes(3, published);
        move.executeUpdate();
        connection.commit();
        recording.done(System.nanoTime() - began);
    }

    @Override
    public void close() {
        try {
            connection.close();
        } catch (SQLException alreadyBroken) {
            // Nothing is waiting for it.
        }
    }
}
