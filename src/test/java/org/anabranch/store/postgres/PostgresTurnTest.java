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
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.anabranch.database.PostgresServer;
import org.anabranch.faults.FaultProxy;
import org.anabranch.faults.FaultProxy.Cut;
import org.anabranch.store.OutcomeUnknownException;
import org.anabranch.store.ReferenceRow;
import org.anabranch.store.StoreUnavailableException;
import org.anabranch.store.Turn;
import org.anabranch.store.WriteOutcome;
import org.anabranch.store.WriteOutcome.AdoptedMissing;
import org.anabranch.store.WriteOutcome.ReferenceMoved;
import org.anabranch.store.WriteOutcome.Written;
import org.anabranch.testing.PostgresStores;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** In PostgreSQL turns exclude one another, come to everybody, and end with the session. */
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

    /** @param held says meanwhile that it is at work, so that it is not taken away */
    private void awaitWaiting(Turn held, int turns) throws Exception {
        PostgresStores.await(turns + " turns are waited for", () -> {
            held.keep();
            return count("wait_event_type = 'Lock'") >= turns;
        });
    }

    private static void take(PostgresStore process, long number) {
        try (Turn turn = process.turn("main")) {
            ReferenceRow seen = turn.reference().orElseThrow();
            assertThat(turn.write(List.of(row(number)), List.of(), move(seen, moved(seen, number)), List.of()))
                    .isEqualTo(new Written());
        }
    }

    @Test
    void turnsExcludeOneAnother() throws Exception {
        List<Integer> had = Collections.synchronizedList(new ArrayList<>());
        try (ExecutorService threads = Executors.newCachedThreadPool()) {
            List<Future<?>> waiting = new ArrayList<>();
            try (Turn first = store.turn("main")) {
                for (int i = 0; i < 5; i++) {
                    int mine = i;
                    waiting.add(threads.submit(() -> {
                        take(mine % 2 == 0 ? other : store, mine + 10L);
                        return had.add(mine);
                    }));
                    awaitWaiting(first, i + 1);
                }
                assertThat(had).isEmpty();
                assertThat(first.write(List.of(row(1)), List.of(), move(MAIN, moved(MAIN, 1)), List.of()))
                        .isEqualTo(new Written());
            }
            for (Future<?> one : waiting) {
                one.get();
            }
        }
        assertThat(had).containsExactlyInAnyOrder(0, 1, 2, 3, 4);
        assertThat(store.reference("main").orElseThrow().version()).isEqualTo(MAIN.version() + 6);
    }

    /** Those who ask again and again do not keep out one who asks once. The bound is a hundred times what an order would need. */
    @Test
    void nobodyStarves() throws Exception {
        int greedy = 6;
        AtomicLong numbers = new AtomicLong(100);
        AtomicBoolean served = new AtomicBoolean();
        try (ExecutorService threads = Executors.newCachedThreadPool()) {
            List<Future<?>> all = new ArrayList<>();
            try (Turn first = store.turn("main")) {
                for (int i = 0; i < greedy; i++) {
                    PostgresStore process = i % 2 == 0 ? other : store;
                    all.add(threads.submit(() -> {
                        while (!served.get() && numbers.get() < 100 + 100 * greedy) {
                            take(process, numbers.incrementAndGet());
                        }
                    }));
                    awaitWaiting(first, i + 1);
                }
                all.add(threads.submit(() -> {
                    take(store, 10);
                    served.set(true);
                }));
                awaitWaiting(first, greedy + 1);
                first.write(List.of(row(1)), List.of(), move(MAIN, moved(MAIN, 1)), List.of());
            }
            for (Future<?> one : all) {
                one.get();
            }
        }
        assertThat(numbers.get() - 100)
                .as("turns of others before the one who asked once")
                .isLessThan(100 * greedy);
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
            assertThatThrownBy(() -> turn.write(List.of(row(1)), List.of(), move(MAIN, moved(MAIN, 1)), List.of()))
                    .isInstanceOf(OutcomeUnknownException.class);
        }
        assertThat(store.reference("main")).contains(moved(MAIN, 2));
    }

    @ParameterizedTest
    @EnumSource
    void aWriteWhoseConnectionIsCutIsOfUnknownOutcomeAndDoneOrNot(Cut cut) {
        try (FaultProxy proxy = new FaultProxy(SERVER.port());
                PostgresStore cutOff = PostgresStore.open(PostgresStores.settings(
                        settings.url().replace(":" + SERVER.port() + "/", ":" + proxy.port() + "/")))) {
            try (Turn turn = cutOff.turn("main")) {
                proxy.cutAt(1, cut);
                assertThatThrownBy(() -> turn.write(List.of(row(1)), List.of(), move(MAIN, moved(MAIN, 1)), List.of()))
                        .isInstanceOf(OutcomeUnknownException.class);
                assertThat(proxy.takeBackCut()).isFalse();
            }
            try (Turn next = store.turn("main")) {
                assertThat(next.reference()).contains(cut == Cut.ANSWER_LOST ? moved(MAIN, 1) : MAIN);
            }
        }
    }

    @Test
    void aWriteAndItsCommitAreOneRoundTrip() {
        try (FaultProxy proxy = new FaultProxy(SERVER.port());
                PostgresStore counted = PostgresStore.open(PostgresStores.settings(
                        settings.url().replace(":" + SERVER.port() + "/", ":" + proxy.port() + "/")))) {
            try (Turn turn = counted.turn("main")) {
                proxy.cutAt(2, Cut.BEFORE);
                turn.write(List.of(row(1)), List.of(), move(MAIN, moved(MAIN, 1)), List.of());
                assertThat(proxy.takeBackCut()).as("a second was not sent").isTrue();
            }
            assertThat(store.reference("main")).contains(moved(MAIN, 1));
        }
    }

    @Test
    void aWriteThatIsRefusedInATurnSaysWhy() {
        try (Turn turn = store.turn("main")) {
            assertThat(turn.write(List.of(row(1)), List.of(77L), move(MAIN, moved(MAIN, 1)), List.of()))
                    .isEqualTo(new AdoptedMissing(Set.of(77L)));
        }
        assertThat(store.reference("main")).contains(MAIN);
    }

    /** The holder goes on, too late; the one who waited was not kept for longer than the database lets a turn idle. */
    @Test
    void aTurnThatStandsStillIsTakenAway() {
        try (Turn stalled = store.turn("main")) {
            try (Turn next = other.turn("main")) {
                assertThat(next.reference()).contains(MAIN);
                next.write(List.of(row(2)), List.of(), move(MAIN, moved(MAIN, 2)), List.of());
            }
            assertThat(unlessUnknown(
                            () -> stalled.write(List.of(row(1)), List.of(), move(MAIN, moved(MAIN, 1)), List.of())))
                    .isIn(Optional.empty(), Optional.of(new ReferenceMoved(moved(MAIN, 2))));
        }
        assertThat(store.reference("main")).contains(moved(MAIN, 2));
    }

    /** The database's last words get lost if its end of the connection is closed already. */
    private static Optional<WriteOutcome> unlessUnknown(Supplier<WriteOutcome> write) {
        try {
            return Optional.of(write.get());
        } catch (OutcomeUnknownException e) {
            return Optional.empty();
        }
    }

    @Test
    void aTurnThatSaysThatItIsAtWorkIsNotTakenAway() {
        long end = System.nanoTime() + PostgresTurn.LONGEST_IDLE.plusMillis(500).toNanos();
        try (Turn turn = store.turn("main")) {
            while (System.nanoTime() < end) {
                turn.keep();
                LockSupport.parkNanos(Duration.ofMillis(50).toNanos());
            }
            assertThat(turn.write(List.of(row(1)), List.of(), move(MAIN, moved(MAIN, 1)), List.of()))
                    .isEqualTo(new Written());
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
