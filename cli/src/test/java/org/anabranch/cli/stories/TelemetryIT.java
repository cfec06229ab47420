package org.anabranch.cli.stories;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.anabranch.cli.service.ServiceProcess;
import org.anabranch.cli.stories.OtlpReceiver.Span;
import org.anabranch.database.PostgresServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * What a service on PostgreSQL tells of itself, against what docs/operations.md and the dashboard say that it tells: every metric, every
 * state of health, every line of the log, and the spans of a request.
 */
@Timeout(240)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class TelemetryIT {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Path DOCS = Path.of(System.getProperty("anabranch.project"), "docs");
    private static final Pattern METRIC =
            Pattern.compile("\\b(anabranch|http_server|jvm|process|system)_[a-z0-9_]*[a-z0-9]");

    /** A row of a table whose first column is one or more names. */
    private static final Pattern ROW = Pattern.compile("^\\| ((?:`[^`]+`(?:, )?)+) \\|.*");

    @TempDir
    private static Path folder;

    private static PostgresServer server;
    private static OtlpReceiver receiver;
    private static ServiceProcess service;
    private static Http http;
    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    /** One service for all, which has done some of everything. */
    @BeforeAll
    @Timeout(480)
    static void work() throws Exception {
        RunningService.assumeNoneIsGiven();
        server = PostgresServer.start(Map.of());
        receiver = new OtlpReceiver();
        service = ServiceProcess.startOn(
                List.of("--store", "postgresql", "--url", server.url(), "--user", server.user()),
                folder,
                "-Xmn8m",
                "-Danabranch.log.format=json",
                "-Danabranch.log.slow-request=0S",
                "-Dquarkus.otel.sdk.disabled=false",
                "-Dquarkus.otel.exporter.otlp.protocol=http/protobuf",
                "-Dquarkus.otel.exporter.otlp.endpoint=" + receiver.endpoint(),
                "-Dquarkus.otel.bsp.schedule.delay=100ms");
        http = new Http(service.api());
        assertThat(commit("orders", "of-orders").statusCode()).isEqualTo(200);
        assertThat(commit("orders", "of-orders").statusCode()).isEqualTo(200);
        assertThat(commit("orders", "of-another").statusCode()).isEqualTo(409);
        http.get("/trees/main/entries");
        run("check");
        run("sweep");
        await("a garbage collection is told of", () -> scrape().contains("jvm_gc_pause_seconds_count"));
    }

    @AfterAll
    static void end() {
        if (http != null) {
            http.close();
        }
        if (service != null) {
            service.close();
        }
        if (receiver != null) {
            receiver.close();
        }
        if (server != null) {
            server.close();
        }
    }

    /** @param id of the request; those that share one are repeats */
    private static HttpResponse<String> commit(String table, String id) throws Exception {
        return http.send(http.request(PlainCommit.path("main"))
                .header("Content-Type", "application/json")
                .header("X-Request-Id", id)
                .header("Idempotency-Key", id)
                .POST(BodyPublishers.ofString(PlainCommit.body(table)))
                .build());
    }

    private static void run(String name) throws Exception {
        URI path = service.management().resolve("/admin/" + name);
        assertThat(CLIENT.send(
                                HttpRequest.newBuilder(path)
                                        .POST(BodyPublishers.noBody())
                                        .build(),
                                BodyHandlers.ofString())
                        .statusCode())
                .isEqualTo(202);
        await(name + " has ended", () -> ask("/admin/" + name).body().contains("\"ENDED\""));
    }

    private static HttpResponse<String> ask(String path) throws Exception {
        return CLIENT.send(
                HttpRequest.newBuilder(service.management().resolve(path)).build(), BodyHandlers.ofString());
    }

    private static void await(String what, Callable<Boolean> isSo) throws Exception {
        long start = System.nanoTime();
        while (!isSo.call()) {
            assertThat(Duration.ofNanos(System.nanoTime() - start))
                    .as("waiting until %s", what)
                    .isLessThan(PATIENCE);
        }
    }

    private static String scrape() throws Exception {
        HttpResponse<String> answer = CLIENT.send(
                HttpRequest.newBuilder(service.management().resolve("/q/metrics"))
                        .header("Accept", "text/plain;version=0.0.4")
                        .build(),
                BodyHandlers.ofString());
        assertThat(answer.statusCode()).isEqualTo(200);
        return answer.body();
    }

    /** The names of samples, those of histograms with their endings. */
    private static Set<String> samples(String scrape) {
        return scrape.lines()
                .filter(line -> !line.startsWith("#"))
                .map(line -> line.replaceFirst("[{ ].*", ""))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** The names of metrics, times and sizes without their largest value, which is told beside each. */
    private static Set<String> metrics(String scrape) {
        Set<String> names = scrape.lines()
                .filter(line -> line.startsWith("# TYPE "))
                .map(line -> line.split(" ")[2])
                .collect(Collectors.toCollection(TreeSet::new));
        Set<String> all = new TreeSet<>(names);
        names.removeIf(name -> name.endsWith("_max") && all.contains(name.substring(0, name.length() - 4)));
        return names;
    }

    private static double sample(String scrape, String name, String... labels) {
        List<Double> found = new ArrayList<>();
        for (String line : scrape.lines().toList()) {
            if (line.startsWith(name + "{") || line.startsWith(name + " ")) {
                boolean isMeant = true;
                for (String label : labels) {
                    isMeant &= line.contains(label);
                }
                if (isMeant) {
                    found.add(Double.parseDouble(line.substring(line.lastIndexOf(' '))));
                }
            }
        }
        assertThat(found).as("samples of %s with %s", name, List.of(labels)).hasSize(1);
        return found.getFirst();
    }

    /** The section on all this. */
    private static String section() throws IOException {
        String page = Files.readString(DOCS.resolve("operations.md"));
        int start = page.indexOf("## Metrics, logs and traces");
        return page.substring(start, page.indexOf("\n## ", start));
    }

    /** The names in the first columns of its tables. */
    private static Set<String> listed(Predicate<String> kind) throws IOException {
        Set<String> names = new TreeSet<>();
        for (String line : section().lines().toList()) {
            Matcher row = ROW.matcher(line);
            if (row.matches()) {
                for (String name : row.group(1).split(", ")) {
                    names.add(name.substring(1, name.length() - 1));
                }
            }
        }
        names.removeIf(kind.negate());
        return names;
    }

    @Test
    @Order(1)
    void theMetricsAreThoseThatTheDocumentLists() throws Exception {
        Set<String> told = metrics(scrape());
        Set<String> listed = listed(METRIC.asMatchPredicate());

        assertThat(told).containsAll(listed);
        told.removeIf(name -> !name.startsWith("anabranch_"));
        listed.removeIf(name -> !name.startsWith("anabranch_"));
        assertThat(listed).isEqualTo(told);
    }

    @Test
    @Order(1)
    void theDashboardAsksForWhatThereIs() throws Exception {
        JsonNode dashboard = Http.JSON.readTree(
                DOCS.resolve("grafana").resolve("anabranch.json").toFile());
        Set<String> asked = dashboard.findValuesAsText("expr").stream()
                .flatMap(expression -> METRIC.matcher(expression).results().map(MatchResult::group))
                .collect(Collectors.toCollection(TreeSet::new));

        assertThat(asked).hasSizeGreaterThan(30);
        assertThat(samples(scrape())).containsAll(asked);
    }

    @Test
    @Order(1)
    void metricsTellWhatWasDone() throws Exception {
        String scrape = scrape();

        assertThat(sample(
                        scrape,
                        "http_server_requests_seconds_count",
                        "method=\"POST\"",
                        "status=\"200\"",
                        "uri=\"/api/v2/trees/{branch}/history/commit\""))
                .isEqualTo(2);
        assertThat(sample(scrape, "anabranch_write_seconds_count", "ending=\"applied\""))
                .isEqualTo(1);
        assertThat(sample(scrape, "anabranch_write_seconds_count", "ending=\"conflicted\""))
                .isEqualTo(1);
        assertThat(sample(scrape, "anabranch_conflicts_total", "type=\"key_exists\""))
                .isEqualTo(1);
        assertThat(sample(scrape, "anabranch_idempotency_repeats_total")).isEqualTo(1);
        assertThat(sample(scrape, "anabranch_batch_commits_sum")).isEqualTo(1);
        assertThat(sample(scrape, "anabranch_batch_size_bytes_sum")).isGreaterThan(100);
        assertThat(sample(scrape, "anabranch_cache_lookups_total", "result=\"hit\""))
                .isPositive();
        assertThat(sample(scrape, "anabranch_cache_size_bytes")).isPositive();
        assertThat(sample(
                        scrape,
                        "anabranch_store_operation_seconds_count",
                        "store=\"postgresql\"",
                        "operation=\"fetch\"",
                        "outcome=\"ok\""))
                .isPositive();
        assertThat(sample(scrape, "anabranch_database_connections_opened_total"))
                .isPositive();
        assertThat(sample(scrape, "anabranch_runs_total", "run=\"check\"", "outcome=\"ended\""))
                .isEqualTo(1);
        assertThat(sample(scrape, "anabranch_run_last_end_seconds", "run=\"sweep\""))
                .isGreaterThan(1e9);
        assertThat(sample(scrape, "anabranch_check_commits")).isEqualTo(1);
        assertThat(sample(scrape, "anabranch_head_ahead_seconds")).isLessThan(1);
    }

    @Test
    @Order(1)
    void whatClientsSendIsNoLabel() throws Exception {
        http.send(http.request("/trees/main@zzz/nonsense-1").build());
        http.send(http.request("/trees?filter=nonsense-2").build());
        rawRequest("BREW /api/v2/nonsense-3 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
        rawRequest("POST /api/v2/trees/nonsense-4/history/commit HTTP/1.1\r\nHost: a\r\nConnection: close\r\n"
                + "Content-Length: 99999999999\r\n\r\n");

        assertThat(scrape()).doesNotContain("nonsense", "BREW", "zzz");
    }

    private static void rawRequest(String request) throws IOException {
        URI api = service.api();
        try (Socket socket = new Socket(api.getHost(), api.getPort())) {
            socket.setSoTimeout((int) PATIENCE.toMillis());
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            assertThat(new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII))
                            .readLine())
                    .startsWith("HTTP/1.1 4");
        }
    }

    @Test
    @Order(1)
    void metricsAreNotOnThePortOfTheApi() throws Exception {
        URI api = service.api();
        assertThat(CLIENT.send(HttpRequest.newBuilder(api.resolve("/q/metrics")).build(), BodyHandlers.discarding())
                        .statusCode())
                .isEqualTo(404);
    }

    @Test
    @Order(1)
    void aRequestIsTracedThroughItsWriteToTheStatementOfTheDatabase() throws Exception {
        await("the spans of the commit have come", () -> !statementsOfCommit().isEmpty());
    }

    /** Statements in a call of the store in a write in a request. */
    private static List<Span> statementsOfCommit() {
        return receiver.spans()
                .filter(statement -> receiver.parent(statement)
                        .filter(call -> call.name().equals("store write"))
                        .flatMap(receiver::parent)
                        .filter(write -> write.name().equals("write branch"))
                        .flatMap(receiver::parent)
                        .filter(request -> request.parent().isEmpty())
                        .filter(request -> request.name().equals("POST /api/v2/trees/{branch}/history/commit"))
                        .filter(request -> request.trace().equals(statement.trace()))
                        .isPresent())
                .toList();
    }

    @Test
    @Order(1)
    void aSlowRequestIsToldWithItsIdAndWhereItsTimeWent() {
        JsonNode line = logged().stream()
                .filter(each -> each.path("message").asText().startsWith("Slow request of-orders: POST "))
                .findFirst()
                .orElseThrow();

        assertThat(line.path("level").asText()).isEqualTo("WARN");
        assertThat(line.path("mdc").path("requestId").asText()).isEqualTo("of-orders");
        assertThat(line.path("message").asText())
                .matches("Slow request of-orders: POST /api/v2/trees/main@[0-9a-f]+/history/commit, answered 200 with"
                        + " [0-9]+ bytes in [0-9]+ ms: waiting for a thread [0-9]+, for the branch [0-9]+, judging [0-9]+,"
                        + " store [0-9]+, writing the answer [0-9]+, else [0-9]+");
    }

    private static List<JsonNode> logged() {
        List<JsonNode> lines = new ArrayList<>();
        for (String line : service.output()) {
            if (line.startsWith("{")) {
                try {
                    lines.add(Http.JSON.readTree(line));
                } catch (IOException e) {
                    throw new AssertionError("A line is no JSON: " + line, e);
                }
            }
        }
        return lines;
    }

    @Test
    @Order(2)
    void healthSaysWhetherTheStoreAnswers() throws Exception {
        assertThat(ask("/q/health/started").statusCode()).isEqualTo(200);
        assertThat(ask("/q/health/started").body()).contains("repository");
        assertThat(ask("/q/health/live").statusCode()).isEqualTo(200);
        assertThat(Http.JSON
                        .readTree(ask("/q/health/ready").body())
                        .findValue("kind")
                        .asText())
                .isEqualTo("postgresql");

        server.stop();
        await("the service is not ready", () -> ask("/q/health/ready").statusCode() == 503);
        JsonNode down = Http.JSON.readTree(ask("/q/health/ready").body());
        assertThat(down.path("status").asText()).isEqualTo("DOWN");
        assertThat(down.findValue("error").asText()).isNotEmpty();
        assertThat(ask("/q/health/live").statusCode()).isEqualTo(200);
        assertThat(ask("/q/health/started").statusCode()).isEqualTo(200);
        assertThat(sample(scrape(), "anabranch_store_failing", "access=\"read\""))
                .isEqualTo(1);

        server.start();
        await("the service is ready", service::isReady);
        await("the outage is over", () -> {
            ask("/q/health/ready");
            return sample(scrape(), "anabranch_store_failing", "access=\"read\"") == 0;
        });
    }

    @Test
    @Order(3)
    void everyLineThatTheDocumentNamesIsLogged() throws Exception {
        http.post("/trees?name=damaged&type=BRANCH", http.get("/trees/main").path("reference"));
        HttpResponse<String> committed = PlainCommit.send(http, "damaged", PlainCommit.body("lost"));
        String lost = Http.JSON
                .readTree(committed.body())
                .path("targetBranch")
                .path("hash")
                .asText();
        service.askToEnd();
        service.awaitEnd();
        server.execute("DELETE FROM chunk WHERE id = decode('" + lost + "', 'hex')");
        service.restart();
        assertThat(http.send(http.request("/trees/damaged/entries").build()).statusCode())
                .isEqualTo(404);
        service.askToEnd();
        service.awaitEnd();

        Set<String> listed = listed(name -> Character.isUpperCase(name.charAt(0)));
        assertThat(listed).hasSizeGreaterThan(5);
        List<String> messages =
                logged().stream().map(line -> line.path("message").asText()).toList();
        assertThat(listed).allSatisfy(line -> assertThat(messages).anyMatch(message -> message.startsWith(line)));
    }
}
