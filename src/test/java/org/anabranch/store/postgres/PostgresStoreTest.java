package org.anabranch.store.postgres;

import static org.anabranch.store.contract.StoreRows.branch;
import static org.anabranch.store.contract.StoreRows.create;
import static org.anabranch.store.contract.StoreRows.id;
import static org.anabranch.store.contract.StoreRows.move;
import static org.anabranch.store.contract.StoreRows.moved;
import static org.anabranch.store.contract.StoreRows.receipt;
import static org.anabranch.store.contract.StoreRows.row;
import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.anabranch.database.PostgresServer;
import org.anabranch.model.ReferenceKind;
import org.anabranch.store.ChunkAddress;
import org.anabranch.store.ReferenceRow;
import org.anabranch.store.Store;
import org.anabranch.store.WriteOutcome;
import org.anabranch.store.WriteOutcome.ReceiptTaken;
import org.anabranch.store.WriteOutcome.ReferenceMoved;
import org.anabranch.store.WriteOutcome.Written;
import org.anabranch.store.contract.ClosingContract;
import org.anabranch.store.contract.StoreContract;
import org.anabranch.testing.PostgresStores;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class PostgresStoreTest extends StoreContract {

    private static final PostgresServer SERVER = PostgresStores.SERVER;

    private PostgresSettings settings;

    @Override
    protected Supplier<Store> newRepository() {
        settings = PostgresStores.settings(SERVER.emptyUrl());
        return () -> PostgresStore.open(settings);
    }

    @Nested
    class Closing extends ClosingContract {
        Closing() {
            super(PostgresStoreTest.this);
        }
    }

    @Nested
    class Plans {

        /** However small the tables are when a statement is planned: they grow, and the plan stays. */
        @Test
        void noStatementReadsAWholeTable() throws Exception {
            ReferenceRow current = branch("main", 1, 9);
            store().write(List.of(row(1)), List.of(), create(current), List.of());
            for (long number = 2; number <= 30; number++) {
                ReferenceRow next = moved(current, number);
                assertThat(store().write(
                                        List.of(row(number, number - 1)),
                                        List.of(number - 1),
                                        move(current, next),
                                        List.of(receipt("request " + number, number, 100))))
                        .isEqualTo(new Written());
                current = next;
                assertThat(store().reference("main")).contains(current);
                assertThat(store().references(ReferenceKind.BRANCH, "", 1)).hasSize(1);
                assertThat(store().find(List.of(id(number), id(1)))).hasSize(2);
                assertThat(store().fetch(List.of(new ChunkAddress(number, 0), new ChunkAddress(1, 1))))
                        .hasSize(2);
                assertThat(store().receipts("request " + number)).hasSize(1);
                assertThat(store().links(number - 1, 10)).hasSize(1);
                store().condemn(List.of(number), 100);
                assertThat(store().condemned(0, 10)).hasSize(1);
                if (number % 2 == 0) {
                    store().spare(List.of(number));
                }
            }
            store().delete(store().condemned(0, 1));
            store().close();

            assertThat(wholeReads()).isEmpty();
        }

        /** The driver prepares what it has sent five times, and the server says how often it planned that. */
        @Test
        void noStatementIsPlannedForItsParameters() throws Exception {
            AtomicReference<DataSource> pool = new AtomicReference<>();
            try (Store watched = PostgresStore.open(settings, source -> {
                pool.set(source);
                return source;
            })) {
                ReferenceRow current = branch("main", 0, 9);
                watched.write(List.of(), List.of(), create(current), List.of());
                for (long number = 1; number <= 20; number++) {
                    ReferenceRow next = moved(current, number);
                    watched.write(List.of(row(number)), List.of(), move(current, next), List.of());
                    current = next;
                    watched.reference("main");
                    watched.find(List.of(id(number)));
                    watched.fetch(List.of(new ChunkAddress(number, 0)));
                    watched.repository();
                }
                assertThat(preparedStatements(pool.get(), "generic_plans > 10")).hasSize(5);
                assertThat(preparedStatements(pool.get(), "custom_plans > 0")).isEmpty();
            }
        }

        private static List<String> preparedStatements(DataSource session, String condition) throws Exception {
            List<String> statements = new ArrayList<>();
            try (Connection connection = session.getConnection();
                    Statement statement = connection.createStatement();
                    ResultSet prepared =
                            statement.executeQuery("SELECT statement FROM pg_prepared_statements WHERE " + condition)) {
                while (prepared.next()) {
                    statements.add(prepared.getString(1));
                }
            }
            return statements;
        }

        /** By table of this test; the server counts them when the sessions have ended. */
        private List<String> wholeReads() throws Exception {
            try (Connection connection = SERVER.connect(settings.url());
                    Statement statement = connection.createStatement()) {
                PostgresStores.await("all sessions of stores have ended", () -> {
                    try (ResultSet sessions = statement.executeQuery(
                            "SELECT 1 FROM pg_stat_activity WHERE application_name = 'anabranch'")) {
                        return !sessions.next();
                    }
                });
                List<String> tables = new ArrayList<>();
                try (ResultSet read = statement.executeQuery("SELECT relname, idx_scan FROM pg_stat_user_tables WHERE"
                        + " schemaname = current_schema AND relname IN ('chunk', 'reference', 'receipt', 'condemned') AND"
                        + " (seq_tup_read > 0 OR idx_scan = 0)")) {
                    while (read.next()) {
                        tables.add(read.getString(1));
                    }
                }
                return tables;
            }
        }
    }

    /** Two stores on one database stand for two processes. */
    @Nested
    class Replicas {

        @Test
        void whatOneWroteTheOtherSees() {
            ReferenceRow main = branch("main", 0, 9);
            ReferenceRow next = moved(main, 1);
            try (Store other = PostgresStore.open(settings)) {
                store().write(List.of(), List.of(), create(main), List.of());
                assertThat(other.write(List.of(row(1)), List.of(), move(main, next), List.of()))
                        .isEqualTo(new Written());

                assertThat(store().reference("main")).contains(next);
                assertThat(store().write(List.of(row(2)), List.of(), move(main, moved(main, 2)), List.of()))
                        .isEqualTo(new ReferenceMoved(next));
                long first = store().numbers(3);
                assertThat(other.numbers(3)).isGreaterThanOrEqualTo(first + 3);
            }
        }

        @Test
        void ofOneRequestSentToManyOneIsApplied() throws Exception {
            ReferenceRow main = branch("main", 0, 9);
            store().write(List.of(), List.of(), create(main), List.of());
            try (Store other = PostgresStore.open(settings);
                    ExecutorService threads = Executors.newFixedThreadPool(8)) {
                for (long round = 1; round <= 50; round++) {
                    String scope = "request " + round;
                    List<Callable<WriteOutcome>> repeats = new ArrayList<>();
                    for (long writer = 0; writer < 8; writer++) {
                        Store store = writer % 2 == 0 ? store() : other;
                        long number = round * 10 + writer;
                        repeats.add(() -> store.write(
                                List.of(row(number)),
                                List.of(),
                                create(branch("branch " + number, number, number)),
                                List.of(receipt(scope, number, 100))));
                    }

                    List<WriteOutcome> outcomes = new ArrayList<>();
                    for (Future<WriteOutcome> outcome : threads.invokeAll(repeats)) {
                        outcomes.add(outcome.get());
                    }

                    assertThat(outcomes).filteredOn(Written.class::isInstance).hasSize(1);
                    assertThat(outcomes)
                            .filteredOn(ReceiptTaken.class::isInstance)
                            .hasSize(7);
                }
            }
        }
    }
}
