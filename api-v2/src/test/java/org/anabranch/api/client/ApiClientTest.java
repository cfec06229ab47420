package org.anabranch.api.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Paging, patience and pace against a server that says what it is told to. */
class ApiClientTest {

    private static final Instant NOW = Instant.parse("2026-11-30T12:00:00Z");

    private record Answer(int status, String body, Map<String, String> headers) {
        static Answer ok(String body) {
            return new Answer(200, body, Map.of());
        }

        static Answer status(int status) {
            return new Answer(status, "{\"message\":\"because\"}", Map.of());
        }
    }

    /** Time that passes only while somebody waits. */
    private static final class FakePace implements Pace {
        private final List<Duration> pauses = new ArrayList<>();
        private long nanos;

        @Override
        public long nanos() {
            return nanos;
        }

        @Override
        public void pause(Duration duration) {
            pauses.add(duration);
            nanos += duration.toNanos();
        }
    }

    private final Deque<Answer> answers = new ArrayDeque<>();
    private final List<String> requests = new ArrayList<>();
    private final List<String> credentials = new ArrayList<>();
    private final FakePace pace = new FakePace();
    private HttpServer server;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::answer);
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private void answer(HttpExchange exchange) throws IOException {
        requests.add(exchange.getRequestURI().toString());
        credentials.add(exchange.getRequestHeaders().getFirst("Authorization"));
        Answer answer = answers.remove();
        answer.headers.forEach(exchange.getResponseHeaders()::set);
        byte[] body = answer.body.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(answer.status, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    private URI api() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/base/api/v2/");
    }

    private ApiClient client(double requestsPerSecond, int attempts) {
        return client(requestsPerSecond, attempts, Duration.ofSeconds(10));
    }

    private ApiClient client(double requestsPerSecond, int attempts, Duration timeout) {
        return new ApiClient(
                new ApiOptions(api(), Map.of("Authorization", "Bearer secret"), requestsPerSecond, attempts, timeout),
                pace,
                () -> NOW);
    }

    @Test
    void listsAllPages() {
        answers.add(Answer.ok("{\"hasMore\":true,\"token\":\"a+b\",\"items\":[1,2]}"));
        answers.add(Answer.ok("{\"hasMore\":true,\"token\":\"c\",\"items\":[]}"));
        answers.add(Answer.ok("{\"hasMore\":false,\"token\":null,\"items\":[3]}"));
        Iterator<JsonNode> items = client(0, 1).list("trees", Map.of("filter", "x == 'ü'"), "items");
        List<Integer> numbers = new ArrayList<>();
        items.forEachRemaining(item -> numbers.add(item.intValue()));
        assertThat(numbers).containsExactly(1, 2, 3);
        assertThat(requests)
                .containsExactly(
                        "/base/api/v2/trees?filter=x%20%3D%3D%20%27%C3%BC%27",
                        "/base/api/v2/trees?filter=x%20%3D%3D%20%27%C3%BC%27&page-token=a%2Bb",
                        "/base/api/v2/trees?filter=x%20%3D%3D%20%27%C3%BC%27&page-token=c");
        assertThat(credentials).containsOnly("Bearer secret");
    }

    @Test
    void aPageThatLeadsToItselfIsRefused() {
        answers.add(Answer.ok("{\"hasMore\":true,\"token\":\"a\",\"items\":[1]}"));
        answers.add(Answer.ok("{\"hasMore\":true,\"token\":\"a\",\"items\":[1]}"));
        Iterator<JsonNode> items = client(0, 1).list("trees", Map.of(), "items");
        items.next();
        assertThatThrownBy(items::next).isInstanceOf(ApiFailure.class).hasMessageContaining("has no end");
    }

    @Test
    @Timeout(20)
    void pagesThatGoRoundAreRefused() {
        List.of("x", "a", "b", "c", "a", "b", "c", "a", "b", "c", "a", "b", "c", "a")
                .forEach(token ->
                        answers.add(Answer.ok("{\"hasMore\":true,\"token\":\"" + token + "\",\"items\":[1]}")));
        Iterator<JsonNode> items = client(0, 1).list("trees", Map.of(), "items");
        assertThatThrownBy(() -> items.forEachRemaining(item -> {}))
                .isInstanceOf(ApiFailure.class)
                .hasMessageContaining("has no end");
        assertThat(requests).hasSizeLessThan(12);
    }

    @Test
    void anEndThatTheServerDoesNotStateIsNone() {
        answers.add(Answer.ok("{\"hasMore\":true,\"items\":[1]}"));
        answers.add(Answer.ok("{\"hasMore\":false}"));
        ApiClient client = client(0, 1);
        assertThatThrownBy(() -> client.list("trees", Map.of(), "items")).isInstanceOf(ApiFailure.class);
        assertThatThrownBy(() -> client.list("trees", Map.of(), "items")).isInstanceOf(ApiFailure.class);
    }

    @Test
    void whatIsTooLargeIsNotRead() {
        String body = "{\"text\":\"" + "x".repeat(100_000) + "\"}";
        answers.add(Answer.ok(body));
        answers.add(Answer.ok(body));
        assertThat(client(0, 9).getUpTo(body.length() - 1, "config", Map.of())).isEmpty();
        assertThat(client(0, 9).getUpTo(body.length(), "config", Map.of())).isPresent();
        assertThat(requests).hasSize(2);
    }

    @Test
    void extensionsLieBesideTheBase() {
        answers.add(Answer.ok("{\"unfiltered\":true}"));
        assertThat(client(0, 1).getExtension("access").path("unfiltered").booleanValue())
                .isTrue();
        assertThat(requests).containsExactly("/base/api/ext/v1/access");
    }

    @ParameterizedTest
    @ValueSource(ints = {429, 502, 503, 504})
    void asksAgainAfterLongerAndLongerPauses(int status) {
        for (int i = 0; i < 3; i++) {
            answers.add(Answer.status(status));
        }
        answers.add(Answer.ok("{}"));
        ApiClient client = client(0, 4);
        client.get("config", Map.of());
        assertThat(pace.pauses).containsExactly(Duration.ofMillis(100), Duration.ofMillis(200), Duration.ofMillis(400));
        assertThat(client.requests()).isEqualTo(4);
    }

    @Test
    void waitsAsLongAsItIsTold() {
        answers.add(new Answer(429, "", Map.of("Retry-After", "7")));
        answers.add(new Answer(503, "", Map.of("Retry-After", "Mon, 30 Nov 2026 12:00:30 GMT")));
        answers.add(new Answer(503, "", Map.of("Retry-After", "86400")));
        answers.add(new Answer(503, "", Map.of("Retry-After", "soon")));
        answers.add(Answer.ok("{}"));
        client(0, 5).get("config", Map.of());
        assertThat(pace.pauses)
                .containsExactly(
                        Duration.ofSeconds(7), Duration.ofSeconds(30), Duration.ofMinutes(2), Duration.ofMillis(800));
    }

    @Test
    void saysWhatTheServerSaidInTheEnd() {
        answers.add(Answer.status(503));
        answers.add(Answer.status(503));
        assertThatThrownBy(() -> client(0, 2).get("config", Map.of()))
                .isInstanceOfSatisfying(
                        ApiFailure.class,
                        failure -> assertThat(failure.status()).isEqualTo(503))
                .hasMessageEndingWith("/base/api/v2/config was answered 503: because");
    }

    @ParameterizedTest
    @ValueSource(ints = {400, 401, 403, 404, 500})
    void whatWillNotChangeIsNotAskedAgain(int status) {
        answers.add(Answer.status(status));
        assertThatThrownBy(() -> client(0, 9).get("config", Map.of())).isInstanceOf(ApiFailure.class);
        assertThat(requests).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "[]", "<html></html>", "{\"a\":"})
    void whatIsNoObjectIsNoAnswer(String body) {
        answers.add(Answer.ok(body));
        assertThatThrownBy(() -> client(0, 1).get("config", Map.of())).isInstanceOf(ApiFailure.class);
    }

    @Test
    @Timeout(60)
    void anAnswerThatStopsInItsMiddleIsWaitedForNoLongerThanForItsBeginning() {
        CountDownLatch end = new CountDownLatch(1);
        server.createContext("/base/api/v2/stalled", exchange -> {
            exchange.sendResponseHeaders(200, 100);
            exchange.getResponseBody().write('{');
            exchange.getResponseBody().flush();
            try {
                end.await();
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
        });
        try {
            assertThatThrownBy(() -> client(0, 1, Duration.ofMillis(300)).get("stalled", Map.of()))
                    .isInstanceOf(ApiFailure.class);
        } finally {
            end.countDown();
        }
    }

    @Test
    void requestsAreSpreadEvenly() {
        ApiClient client = client(4, 1);
        for (int i = 0; i < 3; i++) {
            answers.add(Answer.ok("{}"));
            client.get("config", Map.of());
        }
        assertThat(pace.pauses).containsExactly(Duration.ofMillis(250), Duration.ofMillis(250));
    }

    @ParameterizedTest
    @ValueSource(strings = {"ftp://host/api/v2", "http://host/api/v1", "api/v2", "http:///api/v2", "http://host"})
    void anAddressThatIsNoApiIsRefused(String address) {
        assertThatThrownBy(() -> ApiOptions.of(URI.create(address)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(address);
    }

    @Test
    void anAddressWithCredentialsIsRefusedWithoutTellingThem() {
        assertThatThrownBy(() -> ApiOptions.of(URI.create("http://ann:secret@host/api/v2")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("credentials")
                .hasMessageNotContaining("secret");
    }

    @Test
    void credentialsAreNotPrinted() {
        assertThat(new ApiOptions(api(), Map.of("Authorization", "Bearer secret"), 0, 1, Duration.ofSeconds(1)))
                .asString()
                .doesNotContain("secret");
    }

    @Test
    void aTokenIsShownAsItsFileHasIt(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("token"), "abc.DEF~1=\n");
        assertThat(ApiOptions.headers(List.of("X: y"), file))
                .isEqualTo(Map.of("X", "y", "Authorization", "Bearer abc.DEF~1="));
    }

    /** The library that sends headers tells the whole of one that it does not like. */
    @ParameterizedTest
    @ValueSource(
            strings = {"swordfish\u0007", " swordfish", "two swordfish", "swordfish\nswordfish", "swordfish\u00e9"})
    void whatIsNoTokenIsRefusedWithoutTellingIt(String text, @TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("token"), text);
        assertThatThrownBy(() -> ApiOptions.headers(List.of(), file))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("--token-file: " + file)
                .hasMessageNotContaining("swordfish");
    }
}
