package org.anabranch.store.postgres;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.anabranch.store.Change;
import org.anabranch.store.CommitRow;
import org.anabranch.store.OutcomeUnknownException;
import org.anabranch.store.Receipt;
import org.anabranch.store.ReferenceRow;
import org.anabranch.store.Turn;
import org.anabranch.store.WriteOutcome;
import org.anabranch.store.WriteOutcome.Written;

/**
 * A transaction that holds the lock of a reference's row.
 *
 * <p>Who asks for a locked row is queued by the database behind those who asked before. When the holder has moved the reference,
 * all of them find a new version of the row and queue again for that, where one may overtake another. The lock goes with the
 * transaction, and that with its session: when the process dies or its connection breaks, or, because the session waits for it
 * too long, when it is stopped.
 */
final class PostgresTurn implements Turn {

    /** How long one version of the row is waited for: less than a write's time, so that its request can still be told. */
    static final Duration LONGEST_WAIT = Duration.ofSeconds(4);

    /** How long the database waits between two statements of a turn before it ends the session. */
    static final Duration LONGEST_IDLE = Duration.ofSeconds(2);

    /** What the database says when it ended the session of a turn that stood still, and only then. */
    private static final String TAKEN_AWAY = "25P03";

    private final PostgresStore store;
    private final Connection connection;
    private final Runnable ended;
    private final Optional<ReferenceRow> reference;
    private boolean open = true;

    /**
     * Takes over a connection with the lock in an open transaction, see {@link Queries#lockedReference}.
     *
     * @param ended called once, when the connection is given back
     */
    PostgresTurn(PostgresStore store, Connection connection, Runnable ended, Optional<ReferenceRow> reference) {
        this.store = store;
        this.connection = connection;
        this.ended = ended;
        this.reference = reference;
    }

    @Override
    public Optional<ReferenceRow> reference() {
        return reference;
    }

    @Override
    public void keep() {
        try (Statement statement = connection.createStatement()) {
            statement.execute("SELECT 1");
        } catch (SQLException e) {
            // The turn is over, which its write will find.
        }
    }

    /** What does not succeed at once is left to the store's own write, which tries again and knows why. */
    @Override
    public WriteOutcome write(List<CommitRow> rows, Collection<Long> adopted, Change change, List<Receipt> receipts) {
        if (written(rows, adopted, change, receipts)) {
            return new Written();
        }
        close();
        return store.write(rows, adopted, change, receipts);
    }

    private boolean written(List<CommitRow> rows, Collection<Long> adopted, Change change, List<Receipt> receipts) {
        try {
            return WriteStatement.executeAndCommit(connection, rows, adopted, change, receipts);
        } catch (SQLException e) {
            if (!TAKEN_AWAY.equals(e.getSQLState()) && Failure.of(e, connection) == Failure.LOST) {
                throw new OutcomeUnknownException("PostgreSQL did not confirm a write", e);
            }
            // The session is still in the transaction, or was ended before the write came: nothing of it happened.
            return false;
        }
    }

    @Override
    public void close() {
        if (open) {
            open = false;
            end(connection);
            ended.run();
        }
    }

    /** Closing a connection that cannot be rolled back drops it from the pool, and with it what it holds. */
    static void end(Connection connection) {
        try (connection) {
            connection.rollback();
            connection.setAutoCommit(true);
        } catch (SQLException e) {
            // The session is gone, and the lock with it.
        }
    }
}
