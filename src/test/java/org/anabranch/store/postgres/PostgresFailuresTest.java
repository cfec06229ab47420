package org.anabranch.store.postgres;

import static org.anabranch.store.contract.StoreRows.branch;
import static org.anabranch.store.contract.StoreRows.create;
import static org.anabranch.store.contract.StoreRows.move;
import static org.anabranch.store.contract.StoreRows.moved;
import static org.anabranch.store.contract.StoreRows.row;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.anabranch.database.PostgresServer;
import org.anabranch.store.OutcomeUnknownException;
import org.anabranch.store.ReferenceRow;
import org.anabranch.store.Store;
import org.anabranch.store.StoreUnavailableException;
import org.anabranch.store.WriteOutcome;
import org.anabranch.store.WriteOutcome.Written;
import org.anabranch.testing.PostgresStores;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What callers are told when a database refuses, breaks off or is busy. */
class PostgresFailuresTest {

    private static final PostgresServer SERVER = PostgresStores.SERVER;

    private final String url = SERVER.emptyUrl();
    private final ReferenceRow main = branch("main", 0, 9);
    private Store store;

    @BeforeEach
    void createMain() {
        store = PostgresStore.open(PostgresStores.settings(url));
        store.write(List.of(), List.of(), create(main), List.of());
    }

    @AfterEach
    void close() {
        store.close();
    }

    private static WriteOutcome moveTo(Store store, ReferenceRow from, long number) {
        return store.write(List.of(row(number)), List.of(), move(from, moved(from, number)), List.of());
    }

    private Store impatient(int connections, int connectionMillis, int statementMillis) {
        PostgresSettings patient = PostgresStores.settings(url);
        return PostgresStore.open(new PostgresSettings(
                patient.url(),
                patient.user(),
                patient.password(),
                connections,
                Duration.ofMillis(connectionMillis),
                Duration.ofMillis(statementMillis)));
    }

    private void execute(String sql) throws Exception {
        try (Connection connection = SERVER.connect(url);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** Takes the row of main, as another process does that writes to it. */
    private Connection holdMain() throws Exception {
        Connection other = SERVER.connect(url);
        other.setAutoCommit(false);
        other.createStatement().execute("SELECT 1 FROM reference WHERE name = 'main' FOR UPDATE");
        return other;
    }

    /** Ends the sessions of this test's stores that wait for a lock, and says how many there were. */
    private static int endWaiting(Connection by) throws Exception {
        try (Statement statement = by.createStatement();
                ResultSet ended = statement.executeQuery(
                        "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
                                + " AND application_name = 'anabranch' AND pg_backend_pid() = ANY(pg_blocking_pids(pid))")) {
            ended.next();
            return ended.getInt(1);
        }
    }

    /** Fails the next changes of the table {@code reference} with a code. */
    private void failNext(int times, String sqlState) throws Exception {
        // A sequence counts on when its transaction is undone.
        execute("CREATE SEQUENCE failures; CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
                + " IF nextval('failures') <= " + times + " THEN RAISE EXCEPTION 'as told' USING ERRCODE = '" + sqlState
                + "'; END IF; RETURN NEW; END $$;"
                + " CREATE TRIGGER fail BEFORE INSERT OR UPDATE ON reference FOR EACH ROW EXECUTE FUNCTION fail()");
    }

    @ParameterizedTest
    @ValueSource(strings = {"40001", "40P01"})
    void collisionsAreTriedAgain(String sqlState) throws Exception {
        failNext(3, sqlState);

        assertThat(moveTo(store, main, 1)).isEqualTo(new Written());
    }

    @Test
    void collisionsWithoutEndAreGivenUp() throws Exception {
        failNext(1_000, "40001");

        assertThatThrownBy(() -> moveTo(store, main, 1)).isInstanceOf(StoreUnavailableException.class);
        assertThat(store.reference("main")).contains(main);
    }

    @ParameterizedTest
    @ValueSource(strings = {"53100", "25006", "57014", "XX000"})
    void whatTheDatabaseRefusesDidNotHappen(String sqlState) throws Exception {
        failNext(1, sqlState);

        assertThatThrownBy(() -> moveTo(store, main, 1))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("as told")
                .hasMessageContaining(sqlState);
        assertThat(store.reference("main")).contains(main);
        assertThat(moveTo(store, main, 1)).isEqualTo(new Written());
    }

    @Test
    void whoDoesNotKnowWhetherItCommittedSaysSo() throws Exception {
        failNext(1, "40003");

        assertThatThrownBy(() -> moveTo(store, main, 1)).isInstanceOf(OutcomeUnknownException.class);
    }

    @Test
    void aStatementThatTakesTooLongDidNotHappen() throws Exception {
        try (Store impatient = impatient(5, 5_000, 2_000);
                Connection other = holdMain()) {
            assertThatThrownBy(() -> moveTo(impatient, main, 1))
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining("statement timeout");
            other.rollback();

            assertThat(impatient.reference("main")).contains(main);
            assertThat(moveTo(impatient, main, 1)).isEqualTo(new Written());
        }
    }

    @Test
    void whoFindsNoFreeConnectionIsToldSo() throws Exception {
        try (Store narrow = impatient(1, 2_000, 30_000);
                Connection other = holdMain();
                ExecutorService thread = Executors.newSingleThreadExecutor()) {
            Future<WriteOutcome> write = thread.submit(() -> moveTo(narrow, main, 1));
            PostgresStores.await("the write waits", () -> blocksAnother(other));

            assertThatThrownBy(() -> narrow.reference("main"))
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessage("None of 1 connections to PostgreSQL was free or made within 2000 ms");
            other.rollback();

            assertThat(write.get()).isEqualTo(new Written());
            assertThat(narrow.reference("main")).contains(moved(main, 1));
        }
    }

    @Test
    void aSessionThatEndsDuringAWriteLeavesItOpen() throws Exception {
        try (Connection other = holdMain();
                ExecutorService thread = Executors.newSingleThreadExecutor()) {
            Future<WriteOutcome> write = thread.submit(() -> moveTo(store, main, 1));
            PostgresStores.await("a session that waits is ended", () -> endWaiting(other) > 0);

            assertThatThrownBy(write::get)
                    .isInstanceOf(ExecutionException.class)
                    .hasCauseInstanceOf(OutcomeUnknownException.class);
            other.rollback();
            assertThat(store.reference("main")).contains(main);
        }
    }

    @Test
    void sessionsThatEndedWhileIdleAreReplacedUnnoticed() throws Exception {
        try (ExecutorService threads = Executors.newFixedThreadPool(8)) {
            for (int call = 0; call < 50; call++) {
                threads.submit(() -> store.reference("main"));
            }
        }
        execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'anabranch' AND state = 'idle'"
                        + " AND query LIKE '%reference%'");
        PostgresStores.await("these sessions have ended", () -> idleSessions() == 0);

        assertThat(store.reference("main")).contains(main);
        assertThat(moveTo(store, main, 1)).isEqualTo(new Written());
        assertThat(store.numbers(1)).isPositive();
    }

    private static long idleSessions() throws Exception {
        try (Connection connection = SERVER.connect(SERVER.url());
                Statement statement = connection.createStatement();
                ResultSet sessions = statement.executeQuery("SELECT count(*) FROM pg_stat_activity WHERE"
                        + " application_name = 'anabranch' AND state = 'idle' AND query LIKE '%reference%'")) {
            sessions.next();
            return sessions.getLong(1);
        }
    }

    private static boolean blocksAnother(Connection connection) throws Exception {
        try (Statement statement = connection.createStatement();
                ResultSet waiting = statement.executeQuery(
                        "SELECT 1 FROM pg_stat_activity WHERE pg_backend_pid() = ANY(pg_blocking_pids(pid))")) {
            return waiting.next();
        }
    }
}
