package org.anabranch.cli.stories;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.anabranch.cli.service.ServiceProcess;
import org.anabranch.database.PostgresServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Two services on one database, and requests that name commits which a sweep is about to delete, is deleting, or has deleted. Each
 * succeeds whole or is refused as an unknown hash, and the repository is as it should be.
 */
@Timeout(300)
class SweptCommitsIT {

    /** How many rows a sweep deletes at once. */
    private static final int BATCH = 200;

    private static final int ROUNDS = 2;
    private static final int CLIENTS = 4;
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final long POLL_NANOS = 2_000_000;

    @TempDir
    private static Path folder;

    private static PostgresServer server;
    private static String url;
    private static String base;
    private static final List<ServiceProcess> SERVICES = new ArrayList<>();
    private static final List<Http> CLIENTS_OF = new ArrayList<>();
    private static final AtomicInteger NAMES = new AtomicInteger();

    @BeforeAll
    static void start() throws Exception {
        RunningService.assumeNoneIsGiven();
        server = PostgresServer.shared();
        url = server.emptyUrl();
        for (int replica = 0; replica < 2; replica++) {
            ServiceProcess service = ServiceProcess.startOn(
                    List.of("--store", "postgresql", "--url", url, "--user", server.user()),
                    Files.createDirectory(folder.resolve("replica-" + replica)),
                    "-Xmx512m",
                    "-Danabranch.store.postgresql.statement-time=60S",
                    "-Danabranch.sweep.grace=1M");
            SERVICES.add(service);
            CLIENTS_OF.add(new Http(service.api()));
        }
        commit(0, "main", "base");
        base = head(0, "main");
    }

    @AfterAll
    static void stop() {
        CLIENTS_OF.forEach(Http::close);
        SERVICES.forEach(ServiceProcess::close);
    }

    /**
     * Commits that no reference leads to, on top of the first one of {@code main}, each with a table of its own, written by both
     * services in turn.
     *
     * @param hashes youngest first
     */
    private record Line(List<String> hashes) {

        static Line make(int length) throws Exception {
            String branch = "gone-" + NAMES.incrementAndGet();
            created(0, branch, base);
            for (int n = 0; n < length; n++) {
                commit(n % 2, branch, branch + "-" + n);
            }
            List<String> hashes = log(0, branch);
            delete(1, branch, hashes.getFirst());
            return new Line(hashes.subList(0, length));
        }

        String hash(int place) {
            return hashes.get(place);
        }

        /** How many tables a commit shows. */
        int tables(int place) {
            return hashes.size() - place + 1;
        }
    }

    @Test
    void whatIsBeingDeletedIsTakenUpWholeOrUnknown() throws Exception {
        Line line = Line.make(2 * BATCH + 50);
        sweep(0);
        age();
        int condemned = count("SELECT count(*) FROM condemned");
        created(1, "taken-by-assign", base);
        created(0, "taken-by-merge", base);
        try (ExecutorService threads = Executors.newCachedThreadPool();
                Connection locker = server.connect(url)) {
            locker.setAutoCommit(false);
            // The second batch comes to a stop at this row, and has taken those before it.
            int held = BATCH + 100;
            lock(locker, line.hash(held));
            Future<JsonNode> sweep = threads.submit(() -> sweep(0));
            await(
                    "the sweep waits in its second batch",
                    () -> count("SELECT count(*) FROM condemned") == condemned - BATCH && waiting() == 1);

            for (int place : List.of(0, BATCH / 2, BATCH - 1)) {
                for (int replica = 0; replica < 2; replica++) {
                    assertUnknown(create(replica, "deleted", line.hash(place)));
                    assertUnknown(assign(replica, "taken-by-assign", line.hash(place)));
                    assertUnknown(merge(replica, "taken-by-merge", line.hash(place)));
                }
            }
            Future<HttpResponse<String>> caught =
                    threads.submit(() -> create(1, "caught", line.hash(held - BATCH / 4)));
            await("the request waits for the sweep", () -> waiting() == 2);
            int behind = held + 10;
            assertDone(create(1, "taken-by-create", line.hash(behind)));
            assertDone(assign(0, "taken-by-assign", line.hash(behind + 10)));
            assertDone(merge(1, "taken-by-merge", line.hash(behind + 20)));
            locker.rollback();

            assertUnknown(caught.get());
            assertThat(sweep.get().at("/report/deleted").asInt()).isEqualTo(behind);
            for (int replica = 0; replica < 2; replica++) {
                assertThat(tables(replica, "taken-by-create")).hasSize(line.tables(behind));
                assertThat(tables(replica, "taken-by-assign")).hasSize(line.tables(behind + 10));
                assertThat(tables(replica, "taken-by-merge")).hasSize(line.tables(behind + 20));
                assertUnknown(create(replica, "deleted", line.hash(behind - 1)));
                assertThat(log(replica, "taken-by-create"))
                        .startsWith(line.hash(behind))
                        .endsWith(base)
                        .hasSize(line.tables(behind));
                assertThat(SERVICES.get(replica).check()).isNotEmpty();
            }
        }
        deleteAllBranchesButMain();
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = 1)
    void requestsBesideSweepsSucceedWholeOrAreRefused(long seed) throws Exception {
        AtomicInteger done = new AtomicInteger();
        AtomicInteger refused = new AtomicInteger();
        for (int round = 0; round < ROUNDS; round++) {
            Line line = Line.make(BATCH / 2);
            sweep(round % 2);
            age();
            AtomicBoolean ended = new AtomicBoolean();
            try (ExecutorService threads = Executors.newCachedThreadPool()) {
                List<Future<?>> clients = new ArrayList<>();
                for (int client = 0; client < CLIENTS; client++) {
                    Random random = new Random(seed + 100L * round + client);
                    clients.add(threads.submit(() -> {
                        while (!isGone(line) && !ended.get()) {
                            (request(random, line) ? done : refused).incrementAndGet();
                        }
                        return null;
                    }));
                }
                try {
                    for (int sweep = 0; clients.stream().anyMatch(client -> !client.isDone()); sweep++) {
                        int answered = done.get() + refused.get();
                        await(
                                "each client was answered since the last sweep",
                                () -> done.get() + refused.get() >= answered + CLIENTS
                                        || clients.stream().allMatch(Future::isDone));
                        age();
                        sweep(sweep % 2);
                    }
                } finally {
                    ended.set(true);
                }
                for (Future<?> client : clients) {
                    client.get();
                }
            }
            for (ServiceProcess service : SERVICES) {
                assertThat(service.check()).isNotEmpty();
            }
        }
        deleteWhatIsUnreached();
        System.out.printf("seed %d: %d requests succeeded, %d were refused%n", seed, done.get(), refused.get());
        assertThat(done.get()).isPositive();
        assertThat(refused.get()).isPositive();
        assertThat(count("SELECT count(*) FROM condemned")).isZero();
        assertThat(count("SELECT count(*) FROM chunk WHERE id IS NOT NULL"))
                .as("rows of main alone")
                .isEqualTo(1);
    }

    /** How a request takes up what a hash names. */
    private enum Way {
        CREATE,
        ASSIGN,
        MERGE,
        /** Of the commit's own change alone. */
        TRANSPLANT
    }

    /** Takes up some commit in some way, reads what is then there by the other service, and lets it go again. */
    private static boolean request(Random random, Line line) throws Exception {
        int place = random.nextInt(line.hashes().size());
        String hash = line.hash(place);
        int replica = random.nextInt(2);
        String branch = "client-" + NAMES.incrementAndGet();
        Way way = Way.values()[random.nextInt(Way.values().length)];
        if (way != Way.CREATE) {
            created(1 - replica, branch, base);
        }
        HttpResponse<String> answer =
                switch (way) {
                    case CREATE -> create(replica, branch, hash);
                    case ASSIGN -> assign(replica, branch, hash);
                    case MERGE -> merge(replica, branch, hash);
                    case TRANSPLANT -> transplant(replica, branch, hash);
                };
        boolean isDone = answer.statusCode() == 200;
        if (isDone) {
            assertThat(tables(1 - replica, branch)).hasSize(way == Way.TRANSPLANT ? 2 : line.tables(place));
        } else {
            assertUnknown(answer);
        }
        if (isDone || way != Way.CREATE) {
            delete(replica, branch, head(replica, branch));
        }
        return isDone;
    }

    private static boolean isGone(Line line) throws SQLException {
        return number(line.hashes().getLast()) < 0;
    }

    private static void deleteAllBranchesButMain() throws Exception {
        for (JsonNode reference : CLIENTS_OF.get(0).get("/trees").path("references")) {
            String name = reference.path("name").asText();
            if (!name.equals("main")) {
                delete(0, name, reference.path("hash").asText());
            }
        }
        deleteWhatIsUnreached();
    }

    private static void deleteWhatIsUnreached() throws Exception {
        sweep(0);
        age();
        sweep(1);
    }

    private static void assertDone(HttpResponse<String> answer) {
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    }

    private static void assertUnknown(HttpResponse<String> answer) {
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(404);
        assertThat(answer.body())
                .contains("REFERENCE_NOT_FOUND")
                .containsPattern("Commit '[0-9a-f]{64}' not found|is not found any more");
    }

    private static void commit(int replica, String branch, String message) throws Exception {
        assertDone(PlainCommit.send(CLIENTS_OF.get(replica), branch, PlainCommit.body(message)));
    }

    private static void created(int replica, String branch, String hash) throws Exception {
        assertDone(create(replica, branch, hash));
    }

    private static HttpResponse<String> create(int replica, String branch, String hash) throws Exception {
        return send(replica, "POST", "/trees?type=BRANCH&name=" + branch, detached(hash));
    }

    private static HttpResponse<String> assign(int replica, String branch, String hash) throws Exception {
        return send(replica, "PUT", "/trees/" + branch + "@" + head(replica, branch), detached(hash));
    }

    private static HttpResponse<String> merge(int replica, String branch, String hash) throws Exception {
        ObjectNode body =
                Http.JSON.createObjectNode().put("fromRefName", "DETACHED").put("fromHash", hash);
        return send(replica, "POST", "/trees/" + branch + "@" + head(replica, branch) + "/history/merge", body);
    }

    private static HttpResponse<String> transplant(int replica, String branch, String hash) throws Exception {
        ObjectNode body = Http.JSON.createObjectNode().put("fromRefName", "DETACHED");
        body.putArray("hashesToTransplant").add(hash);
        return send(replica, "POST", "/trees/" + branch + "@" + head(replica, branch) + "/history/transplant", body);
    }

    private static void delete(int replica, String branch, String head) throws Exception {
        assertDone(send(replica, "DELETE", "/trees/" + branch + "@" + head, null));
    }

    private static ObjectNode detached(String hash) {
        return Http.JSON.createObjectNode().put("type", "DETACHED").put("hash", hash);
    }

    private static HttpResponse<String> send(int replica, String method, String path, ObjectNode body)
            throws Exception {
        Http http = CLIENTS_OF.get(replica);
        return http.send(http.request(path)
                .header("Content-Type", "application/json")
                .method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body.toString()))
                .build());
    }

    private static String head(int replica, String branch) throws Exception {
        return CLIENTS_OF
                .get(replica)
                .get("/trees/" + branch)
                .at("/reference/hash")
                .asText();
    }

    /** The hashes of a branch's first-parent line, youngest first. */
    private static List<String> log(int replica, String branch) throws Exception {
        return all(replica, "/trees/" + branch + "/history", "logEntries", "/commitMeta/hash");
    }

    /** The tables on a branch, read with their contents. */
    private static List<String> tables(int replica, String branch) throws Exception {
        return all(replica, "/trees/" + branch + "/entries?content=true", "entries", "/content/metadataLocation");
    }

    private static List<String> all(int replica, String path, String items, String field) throws Exception {
        List<String> all = new ArrayList<>();
        String token = "";
        while (true) {
            JsonNode page = CLIENTS_OF.get(replica).get(path + token);
            page.path(items).forEach(item -> all.add(item.at(field).asText()));
            if (!page.path("hasMore").asBoolean()) {
                return all;
            }
            token = (path.contains("?") ? "&" : "?") + "page-token="
                    + page.path("token").asText();
        }
    }

    /** Has a service sweep; gives what it says in the end. */
    private static JsonNode sweep(int replica) throws Exception {
        URI sweep = SERVICES.get(replica).management().resolve("/admin/sweep");
        Http http = CLIENTS_OF.get(replica);
        HttpResponse<String> begun = http.send(
                HttpRequest.newBuilder(sweep).POST(BodyPublishers.noBody()).build());
        assertThat(begun.statusCode()).as(begun.body()).isEqualTo(202);
        JsonNode status = Http.JSON.readTree(begun.body());
        while (status.path("state").asText().equals("RUNNING")) {
            LockSupport.parkNanos(POLL_NANOS);
            status = Http.JSON.readTree(
                    http.send(HttpRequest.newBuilder(sweep).build()).body());
        }
        assertThat(status.path("state").asText()).as(status.toString()).isEqualTo("ENDED");
        return status;
    }

    /** Makes all marks older than any grace period. */
    private static void age() {
        server.execute("UPDATE " + schema() + ".condemned SET at_micros = at_micros - 3600000000");
    }

    private static String schema() {
        return url.substring(url.indexOf("currentSchema=") + "currentSchema=".length());
    }

    private static long number(String hash) throws SQLException {
        try (Connection connection = server.connect(url);
                PreparedStatement query = connection.prepareStatement("SELECT address >> 16 FROM chunk WHERE id = ?")) {
            query.setBytes(1, HexFormat.of().parseHex(hash));
            try (ResultSet row = query.executeQuery()) {
                return row.next() ? row.getLong(1) : -1;
            }
        }
    }

    private static void lock(Connection connection, String hash) throws SQLException {
        try (PreparedStatement query =
                connection.prepareStatement("SELECT 1 FROM condemned WHERE number = ? FOR UPDATE")) {
            query.setLong(1, number(hash));
            try (ResultSet row = query.executeQuery()) {
                assertThat(row.next()).isTrue();
            }
        }
    }

    /** How many statements wait for a lock. */
    private static int waiting() throws SQLException {
        return count("SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'");
    }

    private static int count(String query) throws SQLException {
        try (Connection connection = server.connect(url);
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            row.next();
            return row.getInt(1);
        }
    }

    private static void await(String what, Callable<Boolean> condition) throws Exception {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.call()) {
            assertThat(System.nanoTime()).as("waiting until %s", what).isLessThan(deadline);
            LockSupport.parkNanos(POLL_NANOS);
        }
    }
}
