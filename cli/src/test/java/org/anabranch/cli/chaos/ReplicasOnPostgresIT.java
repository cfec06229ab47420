package org.anabranch.cli.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.anabranch.cli.service.ServiceProcess;
import org.anabranch.database.PostgresServer;
import org.anabranch.faults.FaultProxy;
import org.anabranch.faults.FaultProxy.Cut;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Three services on one PostgreSQL under load, while one after the other breaks: a service, the database, what lies between. One
 * of the services has too few connections all the time. Every answer is held against the others and against the repository, and
 * after each blow all services are ready again by themselves. A build strikes three blows, longer runs five in each round.
 */
class ReplicasOnPostgresIT {

    private static final int REPLICAS = 3;
    private static final int CLIENTS = 8;
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    private Path folder;

    private PostgresServer database;
    private FaultProxy proxy;
    private final List<ServiceProcess> services = new ArrayList<>();

    /** Something that breaks, and works again when it returns. */
    private interface Blow {
        void strike(Random random) throws Exception;
    }

    @BeforeEach
    void start() throws IOException {
        database = PostgresServer.start(Map.of());
        proxy = new FaultProxy(database.port());
        for (int n = 0; n < REPLICAS; n++) {
            services.add(ServiceProcess.startOn(
                    List.of(
                            "--store",
                            "postgresql",
                            "--url",
                            database.url().replace(":" + database.port() + "/", ":" + proxy.port() + "/"),
                            "--user",
                            database.user()),
                    Files.createDirectory(folder.resolve("service-" + n)),
                    "-Xmx256m",
                    "-Danabranch.store.postgresql.connections=" + (n == 0 ? 2 : 20),
                    "-Danabranch.store.postgresql.connection-time=" + (n == 0 ? "3S" : "5S"),
                    "-Danabranch.store.postgresql.statement-time=2S"));
        }
    }

    @AfterEach
    void stop() {
        services.forEach(ServiceProcess::close);
        proxy.close();
        database.close();
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = 1)
    void everyAnswerHolds(long seed) throws Exception {
        Random random = new Random(seed);
        try (Load load = new Load(services.stream().map(ServiceProcess::api).toList()).start(seed, CLIENTS)) {
            for (int round = 0; round < Rounds.COUNT; round += 2) {
                Map<String, Blow> all = new LinkedHashMap<>();
                all.put("a service is killed", this::killService);
                all.put("the database is killed", this::killDatabase);
                all.put("connections are cut", this::cutConnections);
                if (Rounds.ARE_MANY) {
                    all.put("nothing gets through", this::holdEverythingBack);
                    all.put("the row of a branch is locked", this::lockBranch);
                }
                List<String> order = new ArrayList<>(all.keySet());
                Collections.shuffle(order, random);
                for (String blow : order) {
                    all.get(blow).strike(random);
                    for (ServiceProcess service : services) {
                        Rounds.await(service::isReady, PATIENCE, "a service that is ready after " + blow);
                    }
                    awaitProgress(load, blow);
                }
            }
            load.stopAndCheck(services.getLast().api());
        }
        services.forEach(ReplicasOnPostgresIT::assertFewWords);
    }

    private static void awaitProgress(Load load, String when) {
        int enough = load.acknowledged() + 20;
        Rounds.await(() -> load.acknowledged() >= enough, PATIENCE, "progress: " + when);
    }

    private void killService(Random random) {
        ServiceProcess one = services.get(random.nextInt(REPLICAS));
        one.kill();
        one.restart();
    }

    private void killDatabase(Random random) throws IOException {
        database.kill();
        ServiceProcess one = services.getLast();
        Rounds.await(
                () -> {
                    String health = one.health();
                    return health.contains("\"status\": \"DOWN\"") && health.contains("\"error\"");
                },
                PATIENCE,
                "a service that says that its database is gone, and why");
        database.start();
    }

    private void cutConnections(Random random) {
        for (int n = 0; n < 30; n++) {
            proxy.cutAt(1 + random.nextInt(20), Cut.values()[random.nextInt(Cut.values().length)]);
            LockSupport.parkNanos(Duration.ofMillis(30).toNanos());
        }
        proxy.takeBackCut();
        proxy.cutAll();
    }

    private void holdEverythingBack(Random random) {
        proxy.passing(false);
        LockSupport.parkNanos(Duration.ofSeconds(3).toNanos());
        proxy.passing(true);
        proxy.accepting(false);
        proxy.cutAll();
        LockSupport.parkNanos(Duration.ofSeconds(1).toNanos());
        proxy.accepting(true);
    }

    /** Longer than a statement may take. */
    private void lockBranch(Random random) throws SQLException {
        try (Connection connection = database.connect(database.url());
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute("SELECT 1 FROM reference WHERE name = 'main' FOR UPDATE");
            LockSupport.parkNanos(Duration.ofSeconds(3).toNanos());
            connection.rollback();
        }
    }

    /** An outage is told when it begins and when it ends, not with every request. */
    private static void assertFewWords(ServiceProcess service) {
        List<String> ofTheStore = service.output().stream()
                .filter(line ->
                        Stream.of("The store can", "unavailable", "Exception").anyMatch(line::contains))
                .toList();
        assertThat(ofTheStore).as(String.join("\n", ofTheStore)).hasSizeLessThan(40 * Rounds.COUNT);
        assertThat(service.output()).noneMatch(line -> line.contains("A request failed"));
    }
}
