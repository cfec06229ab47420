package org.anabranch.store.postgres;

import static org.anabranch.store.contract.StoreRows.branch;
import static org.anabranch.store.contract.StoreRows.create;
import static org.anabranch.store.contract.StoreRows.move;
import static org.anabranch.store.contract.StoreRows.moved;
import static org.anabranch.store.contract.StoreRows.row;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.anabranch.database.PostgresServer;
import org.anabranch.store.ReferenceRow;
import org.anabranch.store.StoreUnavailableException;
import org.anabranch.store.Turn;
import org.anabranch.store.WriteOutcome.ReferenceMoved;
import org.anabranch.store.WriteOutcome.Written;
import org.anabranch.testing.PostgresStores;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** In PostgreSQL turns exclude one another, come in order, and end with the session. */
@Timeout(60)
class PostgresTurnTest {

    private static final PostgresServer SERVER = PostgresStores.SERVER;
    private static final ReferenceRow MAIN = branch("main", 0, 9);

    private final PostgresSettings settings = PostgresStores.settings(SERVER.emptyUrl());
    private final PostgresStore store = PostgresStore.open(settings);
    private final PostgresStore other = PostgresStore.open(settings);

    @BeforeEach
    void makeABranch() {
        store.write(List.of(), List.of(), create(MAIN), List.of());
    }

    @AfterEach
    void close() {
        store.close();
        other.close();
    }

    private long count(String where) throws SQLException {
        try (Connection connection = SERVER.connect(SERVER.url());
                Statement statement = connection.createStatement();
                var rows = statement.executeQuery("SELECT count(*) FROM pg_stat_activity WHERE pid <> pg_backend_pid()"
                        + " AND query LIKE '%FROM reference WHERE name%FOR UPDATE%' AND " + where)) {
            rows.next();
            return rows.getLong(1);
        }
    }

    private void awaitWaiting(int turns) throws SQLException {
        while (count("wait_event_type = 'Lock'") < turns) {
            assertThat(Thread.currentThread().isInterrupted()).isFalse();
        }
    }

    @Test
    void turnsComeInTheOrderOfAsking() throws Exception {
        List<Integer> order = Collections.synchronizedList(new ArrayList<>());
        try (ExecutorService threads = Executors.newCachedThreadPool()) {
            List<Future<?>> waiting = new ArrayList<>();
            try (Turn first = store.turn("main")) {
                for (int i = 0; i < 5; i++) {
                    int mine = i;
                    PostgresStore process = i % 2 == 0 ? other : store;
                    waiting.add(threads.submit(() -> {
                        try (Turn turn = process.turn("main")) {
                            order.add(mine);
                            ReferenceRow seen = turn.reference().orElseThrow();
                            assertThat(turn.write(
                                            List.of(row(mine + 10L)),
                                            List.of(),
                                            move(seen, moved(seen, mine + 10L)),
                                            List.of()))
                                    .isEqualTo(new Written());
                        }
                        return mine;
                    }));
                    awaitWaiting(i + 1);
                }
                assertThat(order).isEmpty();
                assertThat(first.write(List.of(row(1)), List.of(), move(MAIN, moved(MAIN, 1)), List.of()))
                        .isEqualTo(new Written());
            }
            for (Future<?> one : waiting) {
                one.get();
            }
        }
        assertThat(order).containsExactly(0, 1, 2, 3, 4);
        assertThat(store.reference("main").orElseThrow().version()).isEqualTo(MAIN.version() + 6);
    }

    @Test
    void aWriteWithoutATurnWaitsForItAndIsRefused() throws Exception {
        try (ExecutorService threads = Executors.newSingleThreadExecutor()) {
            ReferenceRow next = moved(MAIN, 1);
            try (Turn turn = store.turn("main")) {
                var beside = threads.submit(
                        () -> other.write(List.of(row(2)), List.of(), move(MAIN, moved(MAIN, 2)), List.of()));
                assertThat(other.reference("main"))
                        .as("readers wait for nobody")
                        .contains(MAIN);
                turn.write(List.of(row(1)), List.of(), move(MAIN, next), List.of());
                assertThat(beside.get()).isEqualTo(new ReferenceMoved(next));
            }
        }
    }

    @Test
    void aTurnEndsWithItsSession() throws Exception {
        try (Turn turn = store.turn("main");
                Connection connection = SERVER.connect(SERVER.url());
                Statement statement = connection.createStatement()) {
            statement.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()"
                    + " AND state = 'idle in transaction'");
            try (Turn next = other.turn("main")) {
                next.write(List.of(row(2)), List.of(), move(MAIN, moved(MAIN, 2)), List.of());
            }
            assertThat(turn.write(List.of(row(1)), List.of(), move(MAIN, moved(MAIN, 1)), List.of()))
                    .isEqualTo(new ReferenceMoved(moved(MAIN, 2)));
        }
        assertThat(store.reference("main")).contains(moved(MAIN, 2));
    }

    /** The holder goes on, too late; the one who waited was not kept for longer than the database lets a turn idle. */
    @Test
    void aTurnThatStandsStillIsTakenAway() {
        try (Turn stalled = store.turn("main")) {
            try (Turn next = other.turn("main")) {
                assertThat(next.reference()).contains(MAIN);
                next.write(List.of(row(2)), List.of(), move(MAIN, moved(MAIN, 2)), List.of());
            }
            assertThat(stalled.write(List.of(row(1)), List.of(), move(MAIN, moved(MAIN, 1)), List.of()))
                    .isEqualTo(new ReferenceMoved(moved(MAIN, 2)));
        }
    }

    @Test
    void turnsLeaveConnectionsToRead() {
        List<Turn> held = new ArrayList<>();
        for (int i = 0; i < settings.connections() / 2; i++) {
            ReferenceRow branch = branch("b" + i, 0, 100 + i);
            store.write(List.of(), List.of(), create(branch), List.of());
            held.add(store.turn("b" + i));
        }
        assertThatThrownBy(() -> store.turn("main"))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("connections to PostgreSQL that may hold a reference");
        assertThat(store.reference("main")).contains(MAIN);
        held.forEach(Turn::close);
        store.turn("main").close();
    }
}
