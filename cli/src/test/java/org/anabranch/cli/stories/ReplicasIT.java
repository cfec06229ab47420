package org.anabranch.cli.stories;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.anabranch.cli.service.ServiceProcess;
import org.anabranch.database.PostgresServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Three processes of the service on one PostgreSQL are one catalog.
 *
 * <p>Set how long one branch is written by all of them with {@code -Danabranch.replicas.seconds=N}. That nobody waits for longer than
 * two seconds is held from a minute on: in the few seconds of a build, on a machine that does other work, three processes that were
 * just started are measured by their start.
 */
@Timeout(300)
@TestMethodOrder(MethodOrderer.MethodName.class)
class ReplicasIT {

    private static final int SECONDS = Integer.getInteger("anabranch.replicas.seconds", 8);
    private static final int REPLICAS = 3;
    private static final int WRITERS_PER_REPLICA = 6;
    private static final int SECONDS_TO_MEASURE_WAITS = 60;
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(2);

    @TempDir
    private static Path folder;

    private static final List<ServiceProcess> SERVICES = new ArrayList<>();
    private static final List<Http> CLIENTS = new ArrayList<>();

    @BeforeAll
    static void start() throws Exception {
        RunningService.assumeNoneIsGiven();
        PostgresServer server = PostgresServer.shared();
        String url = server.emptyUrl();
        for (int i = 0; i < REPLICAS; i++) {
            Path log = Files.createDirectory(folder.resolve("replica-" + i));
            ServiceProcess service = ServiceProcess.startOn(
                    List.of("--store", "postgresql", "--url", url, "--user", server.user()), log, "-Xmx512m");
            SERVICES.add(service);
            CLIENTS.add(new Http(service.api()));
        }
    }

    @AfterAll
    static void stop() {
        CLIENTS.forEach(Http::close);
        SERVICES.forEach(ServiceProcess::close);
    }

    /**
     * What one writer saw.
     *
     * @param committed messages in the order of their answers
     * @param longestSinceNanos when the longest wait began
     */
    private record Written(List<String> committed, long longestNanos, long longestSinceNanos) {}

    private static Written write(int replica, String name, String branch, long untilNanos) throws Exception {
        List<String> committed = new ArrayList<>();
        long longest = 0;
        long since = 0;
        for (int n = 0; System.nanoTime() < untilNanos; n++) {
            String message = name + "-" + n;
            long start = System.nanoTime();
            HttpResponse<String> response = PlainCommit.send(CLIENTS.get(replica), branch, PlainCommit.body(message));
            if (System.nanoTime() - start > longest) {
                longest = System.nanoTime() - start;
                since = start;
            }
            assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
            committed.add(message);
        }
        return new Written(committed, longest, since);
    }

    private static void createBranch(int replica, String name) throws Exception {
        JsonNode main = CLIENTS.get(replica).get("/trees/main").path("reference");
        CLIENTS.get(replica).post("/trees?name=" + name + "&type=BRANCH", main);
    }

    @Test
    void whatOneReplicaAnsweredEveryOtherShows() throws Exception {
        for (int n = 0; n < 30; n++) {
            int writer = n % REPLICAS;
            createBranch(writer, "seen-" + n);
            HttpResponse<String> response =
                    PlainCommit.send(CLIENTS.get(writer), "seen-" + n, PlainCommit.body("k" + n));
            assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
            for (int reader = 0; reader < REPLICAS; reader++) {
                assertThat(CLIENTS.get(reader)
                                .get("/trees/seen-" + n + "/contents/k" + n)
                                .path("content")
                                .path("metadataLocation")
                                .asText())
                        .isEqualTo("k" + n + ".json");
            }
        }
    }

    @Test
    void branchesOfDifferentReplicasDoNotMeet() throws Exception {
        long until = System.nanoTime() + Duration.ofSeconds(2).toNanos();
        List<Future<Written>> writers = new ArrayList<>();
        try (ExecutorService threads = Executors.newCachedThreadPool()) {
            for (int replica = 0; replica < REPLICAS; replica++) {
                int mine = replica;
                createBranch(mine, "own-" + mine);
                writers.add(threads.submit(() -> write(mine, "w" + mine, "own-" + mine, until)));
            }
            for (int replica = 0; replica < REPLICAS; replica++) {
                List<String> committed = writers.get(replica).get().committed();
                assertThat(PlainCommit.messages(CLIENTS.get((replica + 1) % REPLICAS), "own-" + replica))
                        .isEqualTo(committed.reversed());
            }
        }
    }

    @Test
    void oneBranchIsWrittenByAllInTurns() throws Exception {
        long begin = System.nanoTime();
        long until = begin + Duration.ofSeconds(SECONDS).toNanos();
        List<Future<Written>> writers = new ArrayList<>();
        List<String> committed = new ArrayList<>();
        int[] shares = new int[REPLICAS];
        long longest = 0;
        long since = 0;
        createBranch(0, "shared");
        try (ExecutorService threads = Executors.newCachedThreadPool()) {
            for (int i = 0; i < REPLICAS * WRITERS_PER_REPLICA; i++) {
                int replica = i % REPLICAS;
                String name = "w" + i;
                writers.add(threads.submit(() -> write(replica, name, "shared", until)));
            }
            for (int i = 0; i < writers.size(); i++) {
                Written written = writers.get(i).get();
                committed.addAll(written.committed());
                shares[i % REPLICAS] += written.committed().size();
                if (written.longestNanos() > longest) {
                    longest = written.longestNanos();
                    since = written.longestSinceNanos();
                }
            }
        }
        System.out.printf(
                "%d commits in %d s by %d writers; shares %d, %d and %d; longest wait %d ms, after %d ms%n",
                committed.size(),
                SECONDS,
                writers.size(),
                shares[0],
                shares[1],
                shares[2],
                longest / 1_000_000,
                (since - begin) / 1_000_000);

        assertThat(PlainCommit.messages(CLIENTS.get(1), "shared"))
                .as("each once")
                .containsExactlyInAnyOrderElementsOf(committed);
        assertThat(5 * Arrays.stream(shares).min().orElseThrow())
                .as("the smallest share is a fifth at least")
                .isGreaterThanOrEqualTo(committed.size());
        if (SECONDS >= SECONDS_TO_MEASURE_WAITS) {
            assertThat(Duration.ofNanos(longest)).isLessThan(LONGEST_WAIT);
        }
    }
}
