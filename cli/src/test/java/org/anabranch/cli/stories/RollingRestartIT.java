package org.anabranch.cli.stories;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.anabranch.cli.service.ServiceProcess;
import org.anabranch.database.PostgresServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Three services on one PostgreSQL behind a load balancer are restarted one after the other while clients read and write: every request
 * is answered as it should be, at first or when the client sends it again as docs/operations.md says, and no commit is lost or there twice.
 *
 * <p>Set how often all of them are restarted with {@code -Danabranch.rolling.rounds=N}.
 */
@Timeout(900)
class RollingRestartIT {

    private static final int ROUNDS = Integer.getInteger("anabranch.rolling.rounds", 1);
    private static final int REPLICAS = 3;
    private static final int WRITERS = 6;
    private static final int READERS = 3;

    /** For how long a client sends one request again. */
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** What a client lets pass before it sends anything, so that the machine has time for the starts. */
    private static final Duration PAUSE = Duration.ofMillis(20);

    @TempDir
    private static Path folder;

    /** What the requests of all clients met. */
    private static final class Tally {

        private int answered;
        private final Map<String, Integer> sentAgain = new TreeMap<>();
        private final List<String> failed = Collections.synchronizedList(new ArrayList<>());

        private synchronized void answered() {
            answered++;
        }

        private synchronized void sentAgain(String why) {
            sentAgain.merge(why, 1, Integer::sum);
        }
    }

    private final Tally tally = new Tally();
    private final AtomicBoolean ended = new AtomicBoolean();

    /**
     * Sends a request until it is answered. By contract a client sends it again after 429 and 503, and after no answer if it changes
     * nothing or carries a key of idempotency, as all do here.
     */
    private void send(Http http, HttpRequest request) throws InterruptedException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (System.nanoTime() < deadline) {
            LockSupport.parkNanos(PAUSE.toNanos());
            try {
                HttpResponse<String> response = http.send(request);
                if (response.statusCode() == 200) {
                    tally.answered();
                    return;
                }
                if (response.statusCode() != 429 && response.statusCode() != 503) {
                    tally.failed.add(request.method() + " " + request.uri() + ": " + response.statusCode() + " "
                            + response.body());
                    return;
                }
                tally.sentAgain(request.method() + " answered " + response.statusCode());
            } catch (IOException e) {
                tally.sentAgain(request.method() + " not answered: " + e);
            }
        }
        tally.failed.add(request.method() + " " + request.uri() + ": no answer in " + PATIENCE.toSeconds() + " s");
    }

    private List<String> write(LoadBalancer balancer, int writer) throws InterruptedException {
        List<String> messages = new ArrayList<>();
        try (Http http = new Http(balancer.api())) {
            for (int n = 0; !ended.get(); n++) {
                String message = "w" + writer + "-" + n;
                send(
                        http,
                        http.request(PlainCommit.path("main"))
                                .header("Content-Type", "application/json")
                                .header("Idempotency-Key", message)
                                .POST(BodyPublishers.ofString(PlainCommit.body(message)))
                                .build());
                messages.add(message);
            }
        }
        return messages;
    }

    private List<String> read(LoadBalancer balancer) throws InterruptedException {
        try (Http http = new Http(balancer.api())) {
            while (!ended.get()) {
                send(http, http.request("/trees/main").build());
            }
        }
        return List.of();
    }

    private static void restart(List<ServiceProcess> services) {
        for (ServiceProcess service : services) {
            service.askToEnd();
            assertThat(service.awaitEnd()).as("the status of SIGTERM").isEqualTo(143);
            service.restart();
        }
    }

    @Test
    void nobodyNoticesButWhoSendsAgain() throws Exception {
        RunningService.assumeNoneIsGiven();
        assumeTrue(LoadBalancer.program().isPresent(), "haproxy is not installed: apt install haproxy");
        PostgresServer server = PostgresServer.shared();
        String url = server.emptyUrl();
        List<ServiceProcess> services = new ArrayList<>();
        try {
            for (int i = 0; i < REPLICAS; i++) {
                services.add(ServiceProcess.startOn(
                        List.of("--store", "postgresql", "--url", url, "--user", server.user()),
                        Files.createDirectory(folder.resolve("replica-" + i)),
                        "-Xmx512m",
                        "-Danabranch.shutdown.delay=2S"));
            }
            try (LoadBalancer balancer = new LoadBalancer(LoadBalancer.program().orElseThrow(), services, folder);
                    ExecutorService threads = Executors.newCachedThreadPool()) {
                List<Future<List<String>>> clients = new ArrayList<>();
                for (int i = 0; i < WRITERS; i++) {
                    int writer = i;
                    clients.add(threads.submit(() -> write(balancer, writer)));
                }
                for (int i = 0; i < READERS; i++) {
                    clients.add(threads.submit(() -> read(balancer)));
                }
                try {
                    for (int round = 0; round < ROUNDS; round++) {
                        restart(services);
                    }
                } finally {
                    ended.set(true);
                }
                List<String> committed = new ArrayList<>();
                for (Future<List<String>> client : clients) {
                    committed.addAll(client.get());
                }
                System.out.printf(
                        "%d restarts of %d services: %d requests answered, %d failed, sent again: %s%n",
                        ROUNDS * REPLICAS, REPLICAS, tally.answered, tally.failed.size(), tally.sentAgain);

                assertThat(tally.failed).isEmpty();
                assertThat(committed).hasSizeGreaterThan(WRITERS);
                try (Http http = new Http(balancer.api())) {
                    assertThat(PlainCommit.messages(http, "main"))
                            .as("each once")
                            .containsExactlyInAnyOrderElementsOf(committed);
                }
            }
        } finally {
            services.forEach(ServiceProcess::close);
        }
    }
}
