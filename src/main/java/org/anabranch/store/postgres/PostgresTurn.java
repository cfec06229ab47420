package org.anabranch.store.postgres;

import java.sql.Connection;
import java.sql.SQLException;
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
 * <p>Who asks for a locked row is queued by the database behind those who asked before. The lock goes with the transaction, and
 * that with its session: when the process dies or its connection breaks, or, because the session waits for it too long while it
 * is stopped (see {@link Connections}).
 */
final class PostgresTurn implements Turn {

    /** How long a turn is waited for: less than a write's time, so that its request can still be told. */
    static final Duration LONGEST_WAIT = Duration.ofSeconds(4);

    /** How long the database waits between two statements of a turn before it ends the session. */
    static final Duration LONGEST_IDLE = Duration.ofSeconds(2);

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
            if (!WriteStatement.execute(connection, rows, adopted, change, receipts)) {
                return false;
            }
        } catch (SQLException e) {
            // Without its commit nothing of the transaction happens.
            return false;
        }
        try {
            connection.commit();
            return true;
        } catch (SQLException e) {
            if (Failure.of(e, connection) == Failure.LOST) {
                throw new OutcomeUnknownException("PostgreSQL did not confirm a write", e);
            }
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
