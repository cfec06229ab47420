package org.anabranch.store.postgres;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeSet;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;
import org.anabranch.model.CommitId;
import org.anabranch.model.ReferenceKind;
import org.anabranch.store.Change;
import org.anabranch.store.ChunkAddress;
import org.anabranch.store.CommitLinks;
import org.anabranch.store.CommitRow;
import org.anabranch.store.Condemned;
import org.anabranch.store.OutcomeUnknownException;
import org.anabranch.store.Receipt;
import org.anabranch.store.ReferenceRow;
import org.anabranch.store.RepositoryRow;
import org.anabranch.store.Store;
import org.anabranch.store.StoreUnavailableException;
import org.anabranch.store.Turn;
import org.anabranch.store.WriteOutcome;
import org.anabranch.store.WriteOutcome.AdoptedMissing;
import org.anabranch.store.WriteOutcome.ReceiptTaken;
import org.anabranch.store.WriteOutcome.ReferenceMoved;
import org.anabranch.store.WriteOutcome.RepositoryChanged;
import org.anabranch.store.WriteOutcome.Written;

/**
 * Keeps a repository in a PostgreSQL database, in the schema that new tables go to.
 *
 * <p>Safe from many threads and many processes: what one of them wrote, every other sees on return. A read or a write is one
 * statement and one round trip; a refused write takes up to three more, to say why, and a sweep's calls take a few. Durable as far as the server is: see
 * {@link #weaknesses}. Broken sessions are replaced, so the store works again as soon as its database does.
 */
public final class PostgresStore implements Store {

    /** A collision lets the other one through, so even a crowd of writers is through before this. */
    private static final int ATTEMPTS = 20;

    private final Connections connections;
    private final int mostTurns;

    /** A turn holds a connection while its writer reads by others. */
    private final Semaphore turns;

    private PostgresStore(Connections connections, int mostTurns) {
        this.connections = connections;
        this.mostTurns = mostTurns;
        this.turns = new Semaphore(mostTurns, true);
    }

    /**
     * Opens the store of a database, and creates or upgrades its tables. Processes may do so at the same time.
     *
     * @throws UnusableDatabaseException if the database cannot be reached or used, or is of a newer program
     */
    public static PostgresStore open(PostgresSettings settings) {
        return open(settings, pool -> pool);
    }

    /**
     * As {@link #open(PostgresSettings)}, for those who watch what is sent to the database.
     *
     * @param watched given the pool of connections, what is asked for connections in its place
     */
    public static PostgresStore open(PostgresSettings settings, UnaryOperator<DataSource> watched) {
        Connections connections = new Connections(settings, watched);
        try {
            try (Connection connection = connections.open()) {
                Schema.open(connection);
            }
            return new PostgresStore(connections, settings.connections() / 2);
        } catch (SQLException e) {
            connections.close();
            throw Refusals.opening(settings, e);
        } catch (RuntimeException e) {
            connections.close();
            throw e;
        }
    }

    @Override
    public Map<CommitId, Long> find(Collection<CommitId> ids) {
        return ids.isEmpty() ? Map.of() : read(connection -> Queries.find(connection, ids));
    }

    @Override
    public List<byte[]> fetch(List<ChunkAddress> chunks) {
        return chunks.isEmpty() ? List.of() : read(connection -> Queries.fetch(connection, chunks));
    }

    @Override
    public List<CommitLinks> links(long afterNumber, int limit) {
        return read(connection -> Queries.links(connection, afterNumber, limit));
    }

    @Override
    public Optional<ReferenceRow> reference(String name) {
        return read(connection -> Queries.reference(connection, name));
    }

    @Override
    public List<ReferenceRow> references(ReferenceKind kind, String afterName, int limit) {
        return read(connection -> Queries.references(connection, kind, afterName, limit));
    }

    @Override
    public Optional<RepositoryRow> repository() {
        return read(Queries::repository);
    }

    @Override
    public List<Receipt> receipts(String scope) {
        return read(connection -> Queries.receipt(connection, scope)).stream().toList();
    }

    @Override
    public List<Receipt> receiptsAfter(String afterScope, int limit) {
        return read(connection -> Queries.receiptsAfter(connection, afterScope, limit));
    }

    @Override
    public long numbers(int count) {
        if (count < 1) {
            throw new IllegalArgumentException("A block has at least one number");
        }
        return repeatable("UPDATE number_block SET next = next + ? WHERE one = 1 RETURNING next", statement -> {
            statement.setInt(1, count);
            try (ResultSet next = statement.executeQuery()) {
                next.next();
                return next.getLong(1) - count;
            }
        });
    }

    @Override
    public WriteOutcome write(List<CommitRow> rows, Collection<Long> adopted, Change change, List<Receipt> receipts) {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            if (once(connection -> WriteStatement.execute(connection, rows, adopted, change, receipts))) {
                return new Written();
            }
            Optional<WriteOutcome> refusal = read(connection -> refusal(connection, adopted, change, receipts));
            if (refusal.isPresent()) {
                return refusal.get();
            }
            // What stood in the way is gone.
        }
        throw new StoreUnavailableException("A write met others again and again", null);
    }

    /** Turns exclude one another; half of the connections at most are at turns. With a single one there are none. */
    @Override
    public Turn turn(String name) {
        if (mostTurns == 0) {
            return Turn.ofNobody(this, reference(name));
        }
        awaitPermit();
        try {
            return beginTurn(name);
        } catch (RuntimeException e) {
            turns.release();
            throw e;
        }
    }

    private void awaitPermit() {
        try {
            if (turns.tryAcquire(PostgresTurn.LONGEST_WAIT.toMillis(), TimeUnit.MILLISECONDS)) {
                return;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        throw new StoreUnavailableException(
                "All of " + mostTurns + " connections to PostgreSQL that may hold a reference do so", null);
    }

    private Turn beginTurn(String name) {
        for (int attempt = 1; ; attempt++) {
            Connection connection = connections.take();
            try {
                connection.setAutoCommit(false);
                return new PostgresTurn(this, connection, turns::release, Queries.lockedReference(connection, name));
            } catch (SQLException e) {
                Failure failure = Failure.of(e, connection);
                PostgresTurn.end(connection);
                if (failure == Failure.LOST) {
                    connections.dropIdle();
                }
                if (failure == Failure.REFUSED || attempt == ATTEMPTS) {
                    throw Refusals.working(e);
                }
            }
        }
    }

    @Override
    public void forgetReceipt(Receipt receipt) {
        repeatable("DELETE FROM receipt WHERE scope = ? AND response = ?", statement -> {
            statement.setString(1, receipt.scope());
            statement.setBytes(2, receipt.response());
            return statement.executeUpdate();
        });
    }

    @Override
    public OptionalLong clockMicros() {
        return OptionalLong.of(read(Queries::clockMicros));
    }

    @Override
    public void forgetReceipts(long expiredBeforeMicros) {
        repeatable("DELETE FROM receipt WHERE expires_at_micros < ?", statement -> {
            statement.setLong(1, expiredBeforeMicros);
            return statement.executeUpdate();
        });
    }

    @Override
    public void condemn(Collection<Long> numbers, long atMicros) {
        read(connection -> {
            Marks.condemn(connection, numbers, atMicros);
            return numbers;
        });
    }

    @Override
    public List<Condemned> condemned(long afterNumber, int limit) {
        return read(connection -> Marks.list(connection, afterNumber, limit));
    }

    @Override
    public void spare(Collection<Long> numbers) {
        read(connection -> {
            Marks.spare(connection, numbers);
            return numbers;
        });
    }

    @Override
    public int delete(Collection<Condemned> marks) {
        return read(connection -> Marks.delete(connection, marks));
    }

    /** Settings of the server by which a crash may cost acknowledged commits, each as a sentence. Costs one round trip. */
    public List<String> weaknesses() {
        return read(Weaknesses::of);
    }

    /** What the connections do. Costs nothing. */
    public ConnectionUse connectionUse() {
        return connections.use();
    }

    @Override
    public void close() {
        connections.close();
    }

    @FunctionalInterface
    private interface Work<C, T> {
        T on(C connection) throws SQLException;
    }

    /** Why a write was refused; empty if there is no reason any more. */
    private static Optional<WriteOutcome> refusal(
            Connection connection, Collection<Long> adopted, Change change, List<Receipt> receipts)
            throws SQLException {
        for (Receipt receipt : receipts) {
            Optional<Receipt> existing = Queries.receipt(connection, receipt.scope());
            if (existing.isPresent()) {
                return Optional.of(new ReceiptTaken(existing.get()));
            }
        }
        switch (change) {
            case Change.OfReference reference -> {
                ReferenceRow current =
                        Queries.reference(connection, reference.name()).orElse(null);
                if (!reference.expects(current)) {
                    return Optional.of(new ReferenceMoved(current));
                }
            }
            case Change.OfRepository record -> {
                RepositoryRow current = Queries.repository(connection).orElse(null);
                if (!record.expects(current)) {
                    return Optional.of(new RepositoryChanged(current));
                }
            }
        }
        List<Long> missing = Queries.missing(connection, adopted);
        return missing.isEmpty() ? Optional.empty() : Optional.of(new AdoptedMissing(new TreeSet<>(missing)));
    }

    /** Reads, and reads again if the session broke: the next one is a new one. */
    private <T> T read(Work<Connection, T> query) {
        for (int attempt = 1; ; attempt++) {
            try (Connection connection = connections.take()) {
                try {
                    return query.on(connection);
                } catch (SQLException e) {
                    Failure failure = Failure.of(e, connection);
                    if (failure == Failure.LOST) {
                        connections.dropIdle();
                    }
                    if (failure == Failure.REFUSED || attempt == ATTEMPTS) {
                        throw Refusals.working(e);
                    }
                }
            } catch (SQLException e) {
                throw Refusals.working(e);
            }
        }
    }

    /** As {@link #read}, for a change that does no harm if it is done twice. */
    private <T> T repeatable(String sql, Work<PreparedStatement, T> work) {
        return read(connection -> {
            try (PreparedStatement statement = connection.prepareStatement(sql)) {
                return work.on(statement);
            }
        });
    }

    /** Sends a statement that must not be done twice: again after a collision, never after its session was lost. */
    private boolean once(Work<Connection, Boolean> work) {
        for (int attempt = 1; ; attempt++) {
            try (Connection connection = connections.take()) {
                try {
                    return work.on(connection);
                } catch (SQLException e) {
                    switch (Failure.of(e, connection)) {
                        case COLLISION -> {
                            if (attempt == ATTEMPTS) {
                                throw Refusals.working(e);
                            }
                        }
                        case REFUSED -> throw Refusals.working(e);
                        case LOST -> {
                            connections.dropIdle();
                            throw new OutcomeUnknownException("PostgreSQL did not confirm a write", e);
                        }
                    }
                }
            } catch (SQLException e) {
                throw new OutcomeUnknownException("A connection to PostgreSQL did not end well", e);
            }
        }
    }
}
