package org.anabranch.wiring;

import static org.assertj.core.api.Assertions.assertThat;

import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.QuarkusTestProfile;
import io.quarkus.test.junit.TestProfile;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Clients that dribble their bodies, stop in the middle of them or go away, on a service with three threads. */
@QuarkusTest
@TestProfile(SlowClientsTest.Profile.class)
@Timeout(120)
class SlowClientsTest {

    private static final int MANY = 24;
    private static final int ROOM = 1 << 20;
    private static final String COMMIT = "{\"commitMeta\":{\"message\":\"m\"},\"operations\":"
            + "[{\"type\":\"UNCHANGED\",\"key\":{\"elements\":[\"a\"]}}]}";

    /** Few threads, room for one large body, and little time for it. */
    public static final class Profile implements QuarkusTestProfile {

        @Override
        public Map<String, String> getConfigOverrides() {
            return Map.of(
                    "quarkus.thread-pool.core-threads", "1",
                    "quarkus.thread-pool.max-threads", "3",
                    "quarkus.thread-pool.queue-size", "8",
                    "anabranch.limits.waiting-requests", "2",
                    "anabranch.limits.request-body", "1M",
                    "anabranch.limits.request-bodies", "8M",
                    "anabranch.limits.request-body-time", "5S");
        }
    }

    @TestHTTPResource("/api/v2/trees/nowhere@aabbccdd/history/commit")
    URI commits;

    private final HttpClient http = HttpClient.newHttpClient();

    private int config() throws Exception {
        return http.send(
                        HttpRequest.newBuilder(commits.resolve("/api/v2/config"))
                                .timeout(Duration.ofSeconds(30))
                                .build(),
                        BodyHandlers.discarding())
                .statusCode();
    }

    @Test
    void bodiesOnTheirWayHoldNoThread() throws Exception {
        List<RawExchange> slow = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            RawExchange exchange = new RawExchange(commits);
            exchange.sendHead(commits.getPath(), COMMIT.length());
            exchange.send(COMMIT.substring(0, i % COMMIT.length()));
            slow.add(exchange);
        }
        for (int i = 0; i < MANY; i++) {
            assertThat(config()).isEqualTo(200);
        }
        for (int i = 0; i < MANY; i++) {
            try (RawExchange exchange = slow.get(i)) {
                exchange.send(COMMIT.substring(i % COMMIT.length()));
                assertThat(exchange.status())
                        .as("it was read: the branch is missed")
                        .isEqualTo(404);
            }
        }
    }

    @Test
    void aBodyThatDoesNotEndIsGivenUp() throws Exception {
        try (RawExchange exchange = new RawExchange(commits)) {
            exchange.sendHead(commits.getPath(), COMMIT.length());
            exchange.send(COMMIT.substring(1));

            String answer = exchange.untilEnd();

            assertThat(answer)
                    .startsWith("HTTP/1.1 408 ")
                    .contains("5000 ms")
                    .contains("anabranch.limits.request-body-time");
        }
    }

    /** Each byte that comes is progress, and still the time is over at some point. */
    @Test
    void aBodyThatDribblesIsGivenUp() throws Exception {
        try (RawExchange exchange = new RawExchange(commits)) {
            exchange.sendHead(commits.getPath(), ROOM);
            Thread dribbling = Thread.ofVirtual().start(() -> {
                try {
                    while (true) {
                        exchange.send(" ");
                        config();
                    }
                } catch (Exception ended) {
                    // As it should.
                }
            });

            assertThat(exchange.status()).isEqualTo(408);
            dribbling.join();
        }
    }

    @Test
    void clientsThatGoAwayGiveTheirRoomBack() throws Exception {
        String almost = " ".repeat(ROOM - 1);
        for (int i = 0; i < 6 * 8; i++) {
            try (RawExchange exchange = new RawExchange(commits)) {
                exchange.sendHead(commits.getPath(), ROOM);
                exchange.send(almost);
                if (i % 2 == 0) {
                    exchange.send("x");
                }
            }
        }
        int status;
        do {
            status = http.send(
                            HttpRequest.newBuilder(commits)
                                    .header("Content-Type", "application/json")
                                    .POST(BodyPublishers.ofString(COMMIT + " ".repeat(ROOM - COMMIT.length())))
                                    .build(),
                            BodyHandlers.discarding())
                    .statusCode();
            assertThat(status).isIn(404, 503);
        } while (status == 503);
    }

    @Test
    void aClientThatWaitsToBeAskedForItsBodyIsAsked() throws Exception {
        try (RawExchange exchange = new RawExchange(commits)) {
            exchange.send(
                    "POST " + commits.getPath() + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                            + "Expect: 100-continue\r\nContent-Length: " + COMMIT.length() + "\r\n\r\n");
            assertThat(exchange.status()).isEqualTo(100);
        }
    }
}
