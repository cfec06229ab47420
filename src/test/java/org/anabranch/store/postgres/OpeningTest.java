package org.anabranch.store.postgres;

import static org.anabranch.store.contract.StoreRows.branch;
import static org.anabranch.store.contract.StoreRows.create;
import static org.anabranch.store.contract.StoreRows.row;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.anabranch.database.PostgresServer;
import org.anabranch.ports.FreePort;
import org.anabranch.store.Condemned;
import org.anabranch.store.Store;
import org.anabranch.store.StoreUnavailableException;
import org.anabranch.store.WriteOutcome.Written;
import org.anabranch.testing.PostgresStores;
import org.junit.jupiter.api.Test;

/** Opening a database: by several at once, and what is said of one that cannot be opened. */
class OpeningTest {

    private static final PostgresServer SERVER = PostgresStores.SERVER;

    private static PostgresSettings settings(String url, String user) {
        return new PostgresSettings(
                url, Optional.of(user), () -> Optional.of("secret"), 2, Duration.ofSeconds(5), Duration.ofSeconds(5));
    }

    private static void assertRefused(PostgresSettings settings, String... words) {
        assertThatThrownBy(() -> PostgresStore.open(settings))
                .isInstanceOf(UnusableDatabaseException.class)
                .satisfies(refusal ->
                        assertThat(refusal.getMessage()).contains(words).doesNotContain("secret", "\n"));
    }

    private static void execute(String url, String sql) throws Exception {
        try (Connection connection = SERVER.connect(url);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    @Test
    void allOfManyWhoOpenAnEmptyDatabaseAtOnceComeUp() throws Exception {
        int many = 8;
        for (int round = 0; round < 5; round++) {
            PostgresSettings settings = PostgresStores.settings(SERVER.emptyUrl());
            CyclicBarrier start = new CyclicBarrier(many);
            List<Callable<Store>> openers = new ArrayList<>();
            for (int opener = 0; opener < many; opener++) {
                openers.add(() -> {
                    start.await();
                    return PostgresStore.open(settings);
                });
            }
            List<Store> stores = new ArrayList<>();
            try (ExecutorService threads = Executors.newFixedThreadPool(many)) {
                for (Future<Store> store : threads.invokeAll(openers)) {
                    stores.add(store.get());
                }
            }

            assertThat(stores.getFirst().write(List.of(), List.of(), create(branch("main", 0, 9)), List.of()))
                    .isEqualTo(new Written());
            assertThat(stores)
                    .allSatisfy(store -> assertThat(store.reference("main")).isPresent());
            stores.forEach(Store::close);
        }
    }

    @Test
    void theTablesOfTheFirstVersionAreUpgraded() throws Exception {
        String url = SERVER.emptyUrl();
        try (Store store = PostgresStore.open(PostgresStores.settings(url))) {
            store.write(List.of(row(1)), List.of(), create(branch("main", 1, 9)), List.of());
        }
        execute(url, "DROP TABLE condemned; UPDATE schema_version SET version = 1");

        try (Store store = PostgresStore.open(PostgresStores.settings(url))) {
            assertThat(store.reference("main")).isPresent();
            store.condemn(List.of(1L), 100);
            assertThat(store.condemned(0, 10)).containsExactly(new Condemned(1, 100));
        }
    }

    /** A call that meets that moment may come again. */
    @Test
    void aPasswordThatCannotBeReadForAMomentIsAnOutageAndNoMore() throws Exception {
        String url = SERVER.emptyUrl();
        PostgresSettings known = PostgresStores.settings(url);
        AtomicBoolean readable = new AtomicBoolean(true);
        PostgresSettings settings = new PostgresSettings(
                known.url(),
                known.user(),
                () -> {
                    if (!readable.get()) {
                        throw new StoreUnavailableException("the file is empty", null);
                    }
                    return known.password().get();
                },
                known.connections(),
                known.connectionTime(),
                known.statementTime());
        try (Connections connections = new Connections(settings, pool -> pool)) {
            readable.set(false);
            assertThatThrownBy(connections::take)
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessage("the file is empty");
            readable.set(true);
            try (Connection connection = connections.take()) {
                assertThat(connection.isValid(1)).isTrue();
            }
        }
    }

    @Test
    void aNewerSchemaIsRefused() throws Exception {
        String url = SERVER.emptyUrl();
        PostgresStore.open(PostgresStores.settings(url)).close();
        execute(url, "UPDATE schema_version SET version = 3");

        assertRefused(
                PostgresStores.settings(url),
                "have schema version 3, and this Anabranch knows versions up to 2."
                        + " Start the newer Anabranch that made them.");
    }

    @Test
    void tablesOfAnotherProgramAreRefusedAndKept() throws Exception {
        String url = SERVER.emptyUrl();
        execute(url, "CREATE TABLE receipt (buyer text)");

        assertRefused(
                PostgresStores.settings(url),
                "tables of another program",
                "\"receipt\" already exists",
                "currentSchema");
        execute(url, "INSERT INTO receipt (buyer) VALUES ('anna')");
        execute(url, "DROP TABLE receipt");
        PostgresStore.open(PostgresStores.settings(url)).close();
    }

    @Test
    void anOldServerIsRefused() {
        assertThatThrownBy(() -> Schema.requireServer(12))
                .isInstanceOf(UnusableDatabaseException.class)
                .hasMessageContaining("has version 12 there and must have version 13 or newer");
    }

    @Test
    void aServerThatIsNotThereIsNamed() throws Exception {
        int free = FreePort.choose();

        assertRefused(
                settings("jdbc:postgresql://127.0.0.1:" + free + "/lake?password=secret", "anna"),
                "PostgreSQL at 127.0.0.1:" + free + "/lake cannot be used (Connection to 127.0.0.1:" + free
                        + " refused",
                "--url");
        assertRefused(
                settings("jdbc:postgresql://nowhere.invalid/lake", "anna"),
                "PostgreSQL at nowhere.invalid/lake",
                "--url");
    }

    @Test
    void aDatabaseThatIsNotThereIsNamed() {
        String url = SERVER.url().replaceFirst("/[^/?]*(\\?.*)?$", "/nowhere");
        assertRefused(PostgresStores.settings(url), "/nowhere does not exist: create it (CREATE DATABASE)", "--url");
    }

    @Test
    void aSchemaThatIsNotThereIsNamed() {
        assertRefused(
                PostgresStores.settings(SERVER.url() + "?currentSchema=nowhere"),
                "There is no schema",
                "currentSchema");
    }

    @Test
    void aReadOnlyDatabaseIsRefused() {
        String url = SERVER.emptyUrl() + "&options=-c%20default_transaction_read_only=on";

        assertRefused(PostgresStores.settings(url), "is read-only: name its primary", "targetServerType=primary");
    }

    @Test
    void whoMayNotEnterIsTold() {
        SERVER.execute("DROP ROLE IF EXISTS shut_out; CREATE ROLE shut_out NOLOGIN PASSWORD 'secret'");

        assertRefused(
                settings(SERVER.url(), "shut_out"), "does not let the user 'shut_out' in", "--user", "--password");
    }

    @Test
    void whoMayNotCreateTablesIsTold() {
        String url = SERVER.emptyUrl();
        SERVER.execute("DROP ROLE IF EXISTS guest; CREATE ROLE guest LOGIN PASSWORD 'secret'");

        assertRefused(settings(url, "guest"), "There is no schema to create tables in", "the user 'guest'");
    }

    @Test
    void aServerWithoutFreeConnectionsIsNamed() {
        SERVER.execute("DROP ROLE IF EXISTS crowd; CREATE ROLE crowd LOGIN PASSWORD 'secret' CONNECTION LIMIT 0");

        assertRefused(settings(SERVER.url(), "crowd"), "has no free connection", "max_connections");
    }

    @Test
    void onlyTheRightsToTheTablesAreNeededOnceTheyAreThere() throws Exception {
        String url = SERVER.emptyUrl();
        PostgresStore.open(PostgresStores.settings(url)).close();
        String schema = url.replaceFirst(".*currentSchema=", "");
        SERVER.execute("DROP ROLE IF EXISTS worker; CREATE ROLE worker LOGIN PASSWORD 'secret'; GRANT USAGE ON SCHEMA "
                + schema + " TO worker; GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA " + schema
                + " TO worker");

        try (Store store = PostgresStore.open(settings(url, "worker"))) {
            assertThat(store.write(List.of(), List.of(), create(branch("main", 0, 9)), List.of()))
                    .isEqualTo(new Written());
            assertThat(store.numbers(1)).isPositive();
        } finally {
            SERVER.execute("DROP OWNED BY worker");
        }
    }
}
