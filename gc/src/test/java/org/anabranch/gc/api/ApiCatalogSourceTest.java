package org.anabranch.gc.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.anabranch.api.client.ApiClient;
import org.anabranch.api.client.ApiOptions;
import org.anabranch.api.client.Pace;
import org.anabranch.gc.CatalogContent.Foreign;
import org.anabranch.gc.CatalogContent.Iceberg;
import org.anabranch.gc.CatalogEntry;
import org.anabranch.gc.CatalogUnreadableException;
import org.anabranch.gc.ContentPointer;
import org.anabranch.gc.LoggedCommit;
import org.anabranch.gc.ReadAccess;
import org.anabranch.gc.ReferenceHead;
import org.anabranch.model.CommitId;
import org.anabranch.model.ContentKey;
import org.anabranch.model.ReferenceKind;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is made of the answers of servers, ours and others. */
class ApiCatalogSourceTest {

    private static final CommitId A = CommitId.parse("a".repeat(64));
    private static final CommitId B = CommitId.parse("b".repeat(64));
    private static final String TABLE = """
            {"type":"ICEBERG_TABLE","id":"cid","metadataLocation":"s3://lake/t/m.json","snapshotId":-1,"schemaId":0,
             "specId":0,"sortOrderId":0,"new":"field"}""";
    private static final CatalogEntry ENTRY = new CatalogEntry(
            ContentKey.of("a", "t"),
            "cid",
            new Iceberg(new ContentPointer(ContentPointer.Kind.ICEBERG_TABLE, "s3://lake/t/m.json", -1)));

    /** By path and query; what is not here is a 404. */
    private final Map<String, String> answers = new HashMap<>();

    private final List<String> requests = new ArrayList<>();
    private HttpServer server;
    private ApiCatalogSource source;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::answer);
        server.start();
        URI api = URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/api/v2");
        ApiOptions options = new ApiOptions(api, Map.of(), 0, 1, Duration.ofSeconds(20));
        source = new ApiCatalogSource(new ApiClient(options, new NoPace(), () -> Instant.EPOCH));
        answers.put(
                "/api/v2/config",
                "{\"defaultBranch\":\"main\",\"repositoryCreationTimestamp\":\"2026-11-30T05:41:58.069712625Z\"}");
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private static final class NoPace implements Pace {
        @Override
        public long nanos() {
            return 0;
        }

        @Override
        public void pause(Duration duration) {
            throw new AssertionError("nothing here waits");
        }
    }

    private void answer(HttpExchange exchange) throws IOException {
        String request = exchange.getRequestURI().toString();
        requests.add(request);
        String answer = answers.get(request);
        byte[] body = (answer == null ? "{\"message\":\"no such thing\"}" : answer).getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(answer == null ? 404 : 200, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    private static String log(int size, CommitId from) {
        return "/api/v2/trees/%40" + from + "/history?fetch=ALL&max-records=" + size;
    }

    private static String commit(CommitId id, CommitId parent, String operations) {
        return "{\"commitMeta\":{\"hash\":\"" + id
                + "\",\"commitTime\":\"2026-01-01T00:00:00Z\"},\"parentCommitHash\":\"" + parent + "\",\"operations\":"
                + operations + "}";
    }

    private static String page(String name, String... items) {
        return "{\"hasMore\":false,\"token\":null,\"" + name + "\":[" + String.join(",", items) + "]}";
    }

    private static <T> List<T> all(Iterator<T> iterator) {
        List<T> all = new ArrayList<>();
        iterator.forEachRemaining(all::add);
        return all;
    }

    @Test
    void aRepositoryIsKnownByWhenItWasMade() {
        assertThat(source.repository()).contains("2026-11-30T05:41:58.069712625Z");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "{\"unfiltered\":true}; UNFILTERED",
                "{\"unfiltered\":false}; FILTERED",
                "{}; UNKNOWN",
                "{\"unfiltered\":\"true\"}; UNKNOWN",
                "<html></html>; UNKNOWN"
            })
    void onlyAPlainYesIsOne(String answer, ReadAccess access) {
        answers.put("/api/ext/v1/access", answer);
        assertThat(source.readAccess()).isEqualTo(access);
    }

    @Test
    void aServerWithoutTheQuestionDoesNotKnow() {
        assertThat(source.readAccess()).isEqualTo(ReadAccess.UNKNOWN);
    }

    @Test
    void theDefaultBranchComesFirst() {
        answers.put(
                "/api/v2/trees?max-records=1000",
                page(
                        "references",
                        "{\"type\":\"BRANCH\",\"name\":\"a\",\"hash\":\"" + A + "\"}",
                        "{\"type\":\"BRANCH\",\"name\":\"main\",\"hash\":\"" + B + "\"}",
                        "{\"type\":\"TAG\",\"name\":\"t\",\"hash\":\"" + A + "\"}"));
        assertThat(source.references())
                .containsExactly(
                        new ReferenceHead(ReferenceKind.BRANCH, "main", B),
                        new ReferenceHead(ReferenceKind.BRANCH, "a", A),
                        new ReferenceHead(ReferenceKind.TAG, "t", A));
    }

    @Test
    void theLogIsReadInPagesThatGrow() {
        answers.put(
                log(16, A),
                page(
                        "logEntries",
                        commit(
                                A,
                                B,
                                "[{\"type\":\"DELETE\",\"key\":{\"elements\":[\"x\"]}},"
                                        + "{\"type\":\"PUT\",\"key\":{\"elements\":[\"a\",\"t\"]},\"content\":" + TABLE
                                        + "}]")));
        answers.put(log(250, B), page("logEntries", commit(B, CommitId.NO_ANCESTOR, "[]")));
        assertThat(all(source.log(A)))
                .containsExactly(
                        new LoggedCommit(A, B, Instant.parse("2026-01-01T00:00:00Z"), List.of(ENTRY)),
                        new LoggedCommit(B, CommitId.NO_ANCESTOR, Instant.parse("2026-01-01T00:00:00Z"), List.of()));
        assertThat(source.log(CommitId.NO_ANCESTOR)).isExhausted();
    }

    @Test
    void wherePagesAreTooLargeFewerCommitsAreAskedFor() {
        String large = "\"" + "x".repeat(17 << 20) + "\"";
        answers.put(log(16, A), "{\"padding\":" + large + "}");
        answers.put(log(4, A), "{\"padding\":" + large + "}");
        answers.put(
                log(1, A),
                "{\"padding\":" + large + ","
                        + page("logEntries", commit(A, CommitId.NO_ANCESTOR, "[]"))
                                .substring(1));
        assertThat(all(source.log(A))).extracting(LoggedCommit::id).containsExactly(A);
    }

    @Test
    void whereTheLogShowsNoOperationsTheTreesTell() {
        answers.put(log(16, A), page("logEntries", commit(A, CommitId.NO_ANCESTOR, "null")));
        answers.put(
                "/api/v2/trees/%40" + CommitId.NO_ANCESTOR + "/diff/%40" + A + "?max-records=1000",
                page("diffs", "{\"key\":{\"elements\":[\"a\",\"t\"]},\"from\":null,\"to\":" + TABLE + "}"));
        assertThat(source.log(A).next().puts()).containsExactly(ENTRY);
    }

    @Test
    void onlyWhatIsThereAfterwardsCountsOfADifference() {
        answers.put(
                "/api/v2/trees/%40" + A + "/diff/%40" + B + "?max-records=1000",
                page(
                        "diffs",
                        "{\"key\":{\"elements\":[\"gone\"]},\"from\":" + TABLE + ",\"to\":null}",
                        "{\"key\":{\"elements\":[\"a\",\"t\"]},\"from\":null,\"to\":" + TABLE + "}",
                        "{\"key\":{\"elements\":[\"gone\",\"too\"]},\"from\":" + TABLE + ",\"to\":null}"));
        assertThat(all(source.changes(A, B))).containsExactly(ENTRY);
    }

    @Test
    void contentsOfOtherTypesTellTheirLocations() {
        answers.put(
                "/api/v2/trees/%40" + A + "/entries?content=true&max-records=1000",
                page(
                        "entries",
                        "{\"name\":{\"elements\":[\"n\"]},\"content\":{\"type\":\"NAMESPACE\",\"id\":\"1\",\"elements\":[\"n\"],"
                                + "\"properties\":{\"location\":\"s3://lake/n\"}}}",
                        "{\"name\":{\"elements\":[\"d\"]},\"content\":{\"type\":\"DELTA_LAKE_TABLE\",\"id\":\"2\",\"lastCheckpoint\":null,"
                                + "\"metadataLocationHistory\":[\"s3://lake/d/_log/1.json\"],\"checkpointLocationHistory\":[\"/d/c\"]}}",
                        "{\"name\":{\"elements\":[\"x\"]},\"content\":{\"type\":\"SOMETHING_NEW\",\"id\":\"3\",\"at\":{\"a\":\"s3://x/y\"}}}",
                        "{\"name\":{\"elements\":[\"v\"]},\"content\":{\"type\":\"ICEBERG_VIEW\",\"id\":\"4\","
                                + "\"metadataLocation\":\"s3://lake/v\",\"versionId\":7}}"));
        assertThat(all(source.entries(A)))
                .extracting(CatalogEntry::content)
                .containsExactly(
                        new Foreign("NAMESPACE", List.of()),
                        new Foreign("DELTA_LAKE_TABLE", List.of("s3://lake/d/_log/1.json", "/d/c")),
                        new Foreign("SOMETHING_NEW", List.of("s3://x/y")),
                        new Iceberg(new ContentPointer(ContentPointer.Kind.ICEBERG_VIEW, "s3://lake/v", 7)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"name\":{\"elements\":[\"a\"]}}",
                "{\"name\":{\"elements\":[]},\"content\":{\"type\":\"NAMESPACE\"}}",
                "{\"name\":{\"elements\":[\"a\"]},\"content\":{\"type\":\"ICEBERG_TABLE\",\"id\":\"1\",\"snapshotId\":1}}",
                "{\"name\":{\"elements\":[\"a\"]},\"content\":{\"type\":\"ICEBERG_TABLE\",\"id\":\"1\",\"metadataLocation\":\"x\"}}"
            })
    void anItemThatCannotBeUnderstoodIsNotPassedOver(String entry) {
        answers.put("/api/v2/trees/%40" + A + "/entries?content=true&max-records=1000", page("entries", entry));
        assertThatThrownBy(() -> all(source.entries(A)))
                .isInstanceOf(CatalogUnreadableException.class)
                .hasMessageContaining("cannot be understood");
    }

    @Test
    void whatTheServerRefusesIsUnreadable() {
        assertThatThrownBy(source::references)
                .isInstanceOf(CatalogUnreadableException.class)
                .hasMessageContaining("no such thing");
        assertThatThrownBy(() -> source.log(A).hasNext()).isInstanceOf(CatalogUnreadableException.class);
        assertThatThrownBy(() -> source.entries(A)).isInstanceOf(CatalogUnreadableException.class);
    }

    @Test
    void theRepositoryMayKeepSettings() {
        String query = "/api/v2/config/repository?type=GARBAGE_COLLECTOR";
        answers.put(query, "{}");
        assertThat(source.collectorConfig()).isEmpty();
        answers.put(query, "{\"configs\":[{\"type\":\"GARBAGE_COLLECTOR\",\"defaultCutoffPolicy\":\"5\"}]}");
        assertThat(source.collectorConfig().orElseThrow().defaultCutoffPolicy()).isEqualTo("5");
        answers.put(query, "{\"configs\":[{\"type\":\"GARBAGE_COLLECTOR\",\"defaultCutoffPolicy\":\"soon\"}]}");
        assertThatThrownBy(source::collectorConfig).isInstanceOf(CatalogUnreadableException.class);
    }
}
