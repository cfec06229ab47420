package org.anabranch.wiring;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.channels.ServerSocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Values that attackers choose: none makes the service fail, work without end, open a connection or answer with its inside. */
@QuarkusTest
@Timeout(120)
class UntrustedInputTest {

    private static final String NO_ANCESTOR = "2e1cfa82b035c26cbbbdae632cea070514eb8b773f616aaeaf668e2f0be8f10d";
    private static final long SEED = 20_261_130;

    private final HttpClient http = HttpClient.newHttpClient();

    @TestHTTPResource("/api/v2/trees")
    URI trees;

    private HttpResponse<String> get(String path) throws Exception {
        return http.send(
                HttpRequest.newBuilder(URI.create(trees + path))
                        .timeout(Duration.ofSeconds(60))
                        .build(),
                BodyHandlers.ofString());
    }

    private HttpResponse<String> post(String path, BodyPublisher body, String... headers) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(trees + path))
                .timeout(Duration.ofSeconds(60))
                .header("Content-Type", "application/json")
                .POST(body);
        if (headers.length > 0) {
            request.headers(headers);
        }
        return http.send(request.build(), BodyHandlers.ofString());
    }

    private HttpResponse<String> post(String path, String body, String... headers) throws Exception {
        return post(path, BodyPublishers.ofString(body), headers);
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    private static void assertRefused(HttpResponse<String> answer) {
        assertThat(answer.statusCode())
                .as("%s: %s", answer.uri(), answer.body())
                .isBetween(400, 499);
        assertThat(answer.body())
                .doesNotContainPattern(
                        "Exception|\\bat [a-z]+\\.|org\\.anabranch|io\\.quarkus|java\\.|jackson|SELECT ");
    }

    private JsonNode branch(String name) throws Exception {
        HttpResponse<String> made =
                post("?type=BRANCH&name=" + name, "{\"type\":\"DETACHED\",\"hash\":\"" + NO_ANCESTOR + "\"}");
        assertThat(made.statusCode()).as(made.body()).isEqualTo(200);
        return new ObjectMapper().readTree(made.body());
    }

    private static String commit(String elements, String content) {
        return "{\"commitMeta\":{\"message\":\"m\"},\"operations\":[{\"type\":\"PUT\",\"key\":{\"elements\":["
                + elements + "]},\"content\":" + content + "}]}";
    }

    private static String table(String location) {
        return "{\"type\":\"ICEBERG_TABLE\",\"metadataLocation\":\"" + location
                + "\",\"snapshotId\":1,\"schemaId\":0,\"specId\":0,\"sortOrderId\":0}";
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "../etc",
                "a/../b",
                "..",
                "/a",
                "a//b",
                "a\\b",
                "a b",
                "a\u0000b",
                "a\nb",
                "a\rb",
                "a\u2028b",
                "-a",
                "a.lock",
                "a;rm",
                "$(a)",
                "'; DROP TABLE refs; --",
                "a@b",
                "a~1",
                "a^1",
                "DETACHED",
                "HEAD"
            })
    void namesOfReferencesThatMeanSomethingElsewhere(String name) throws Exception {
        HttpResponse<String> made =
                post("?type=BRANCH&name=" + encoded(name), "{\"type\":\"DETACHED\",\"hash\":\"" + NO_ANCESTOR + "\"}");
        if (made.statusCode() == 200) {
            assertThat(new ObjectMapper()
                            .readTree(made.body())
                            .at("/reference/name")
                            .asText())
                    .as("a name that is taken stays as it is")
                    .isEqualTo(name);
        } else {
            assertRefused(made);
        }
        assertThat(get("/" + encoded(name)).statusCode()).isIn(200, 400, 404);
    }

    /** Keys are names and not paths: they come back as they went in, and mean nothing to a file system or a database. */
    @Test
    void keysAreNotPaths() throws Exception {
        branch("untrusted-keys");
        List<String> keys = List.of(
                "..", "../../etc/passwd", "/etc/passwd", "C:\\\\x", "'; DROP TABLE entries; --", "%2e%2e", "a%00");
        String head = NO_ANCESTOR;
        for (String key : keys) {
            HttpResponse<String> made = post(
                    "/untrusted-keys@" + head + "/history/commit",
                    commit("\"" + key + "\"", table("file:///etc/passwd")));
            assertThat(made.statusCode()).as(made.body()).isEqualTo(200);
            head = new ObjectMapper()
                    .readTree(made.body())
                    .at("/targetBranch/hash")
                    .asText();
        }
        JsonNode entries = new ObjectMapper()
                .readTree(get("/untrusted-keys/entries").body())
                .get("entries");
        assertThat(entries.findValuesAsText("name")).isNotNull();
        assertThat(entries).hasSize(keys.size());
        assertThat(entries.toString())
                .contains("../../etc/passwd")
                .contains("%2e%2e")
                .doesNotContain("root:");
    }

    @Test
    void jsonThatGrows() throws Exception {
        String path = "/main@" + NO_ANCESTOR + "/history/commit";
        assertRefused(post(path, "[".repeat(2_000_000)));
        assertRefused(post(path, "{\"a\":".repeat(1_000_000)));
        assertRefused(
                post(path, "{\"commitMeta\":{\"message\":\"m\",\"x\":" + "[".repeat(101) + "]".repeat(101) + "}}"));
        assertRefused(post(path, "{\"commitMeta\":" + "1".repeat(1_000_000) + "}"));
        assertRefused(post(
                path,
                commit("\"a\"", "{\"type\":\"ICEBERG_TABLE\",\"metadataLocation\":\"m\",\"snapshotId\":1e999999999}")));
        assertRefused(post(
                path,
                commit(
                        "\"a\"",
                        "{\"type\":\"ICEBERG_TABLE\",\"metadataLocation\":\"m\",\"snapshotId\":1e-999999999}")));
        assertRefused(post(path, "{\"commitMeta\":{" + "\"a\":1,".repeat(1_000_000) + "\"b\":1}}"));
        assertRefused(post(path, "{\"" + "n".repeat(1_000_000) + "\":1}"));
        assertRefused(
                post(path, "{\"commitMeta\":{\"message\":\"" + "\\u0000".repeat(1_000_000) + "\"},\"operations\":[]}"));
        assertRefused(
                post(path, "{\"commitMeta\":{\"message\":\"m\"},\"operations\":[" + "{},".repeat(2_000_000) + "{}]}"));
        assertRefused(post(path, "{} {}"));
    }

    /** Fifteen gigabytes in less than a request may have, as three hundred members of one file. */
    @Test
    void compressionThatGrows() throws Exception {
        ByteArrayOutputStream member = new ByteArrayOutputStream();
        try (OutputStream gzip = new GZIPOutputStream(member)) {
            gzip.write(" ".repeat(50 << 20).getBytes(StandardCharsets.US_ASCII));
        }
        ByteArrayOutputStream bomb = new ByteArrayOutputStream();
        for (int i = 0; i < 300; i++) {
            bomb.writeBytes(member.toByteArray());
        }
        assertThat(bomb.size()).isLessThan(16 << 20);
        String path = "/main@" + NO_ANCESTOR + "/history/commit";

        HttpResponse<String> answer =
                post(path, BodyPublishers.ofByteArray(bomb.toByteArray()), "Content-Encoding", "gzip");
        assertThat(answer.statusCode()).isEqualTo(413);
        assertRefused(answer);
        assertThat(post(path, BodyPublishers.ofByteArray(member.toByteArray()), "Content-Encoding", "gzip, gzip")
                        .statusCode())
                .as("one layer is taken off, not several")
                .isEqualTo(415);
    }

    @Test
    void filtersThatWouldRunWithoutEnd() throws Exception {
        branch("untrusted-filters");
        assertThat(post("/untrusted-filters@" + NO_ANCESTOR + "/history/commit", commit("\"a\"", table("m")))
                        .statusCode())
                .isEqualTo(200);
        String numbers = "[1" + ",1".repeat(900) + "]";
        for (String filter : List.of(
                numbers + ".all(a, " + numbers + ".all(b, a == b))",
                "[1].all(a, [1].all(b, [1].all(c, true)))",
                "entry.name.matches('((a{1000}){1000}){1000}')",
                "'a'" + " + 'a'".repeat(1_000),
                "(".repeat(2_000) + "true" + ")".repeat(2_000),
                "a".repeat(5_000))) {
            assertRefused(get("/untrusted-filters/entries?filter=" + encoded(filter)));
            assertRefused(get("/untrusted-filters/history?fetch=ALL&filter=" + encoded(filter)));
        }
    }

    /** Tokens that the service did not give out, one bit beside one that it did, and those of other listings. */
    @Test
    void pageTokensThatWereMadeUp() throws Exception {
        branch("untrusted-tokens");
        String head = NO_ANCESTOR;
        for (String key : List.of("a", "b", "c")) {
            HttpResponse<String> made =
                    post("/untrusted-tokens@" + head + "/history/commit", commit("\"" + key + "\"", table("m")));
            head = new ObjectMapper()
                    .readTree(made.body())
                    .at("/targetBranch/hash")
                    .asText();
        }
        String listing = "/untrusted-tokens/entries?max-records=1";
        String token =
                new ObjectMapper().readTree(get(listing).body()).get("token").asText();
        byte[] genuine = Base64.getUrlDecoder().decode(token);
        for (int bit = 0; bit < genuine.length * 8; bit++) {
            byte[] forged = genuine.clone();
            forged[bit / 8] ^= (byte) (1 << (bit % 8));
            String text = Base64.getUrlEncoder().withoutPadding().encodeToString(forged);
            assertThat(get(listing + "&page-token=" + text).statusCode())
                    .as("bit %d", bit)
                    .isIn(200, 400, 404);
        }
        Random random = new Random(SEED);
        for (int i = 0; i < 200; i++) {
            byte[] noise = new byte[random.nextInt(100)];
            random.nextBytes(noise);
            String text = Base64.getUrlEncoder().withoutPadding().encodeToString(noise);
            if (!text.isEmpty()) {
                assertRefused(get(listing + "&page-token=" + text));
                assertRefused(get("?max-records=1&page-token=" + text));
                assertRefused(get("/untrusted-tokens/history?max-records=1&page-token="
                        + HexFormat.of().formatHex(noise)));
            }
        }
        assertRefused(get("/main/entries?max-records=1&page-token=" + token));
        assertRefused(get("/untrusted-tokens/history?max-records=1&page-token=" + token));
        assertRefused(get("/untrusted-tokens@" + head + "/entries?max-records=1&page-token=" + token));
    }

    /** Where contents say that they lie is text to the service: nobody who listens there hears of it. */
    @Test
    void locationsAreNotOpened() throws Exception {
        branch("untrusted-locations");
        try (ServerSocketChannel listener = ServerSocketChannel.open()) {
            listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            listener.configureBlocking(false);
            String address = "127.0.0.1:" + ((InetSocketAddress) listener.getLocalAddress()).getPort();
            String head = NO_ANCESTOR;
            int n = 0;
            for (String location : List.of(
                    "http://" + address + "/metadata.json",
                    "https://" + address + "/metadata.json",
                    "s3://" + address + "/bucket/metadata.json",
                    "hdfs://" + address + "/metadata.json",
                    "jdbc:postgresql://" + address + "/x",
                    "jar:http://" + address + "/x.jar!/",
                    "//" + address + "/share",
                    "ldap://" + address + "/o=x",
                    "${jndi:ldap://" + address + "/x}")) {
                HttpResponse<String> made = post(
                        "/untrusted-locations@" + head + "/history/commit",
                        commit("\"t" + n++ + "\"", table(location)),
                        "Nessie-Commit-Property-Source",
                        location);
                assertThat(made.statusCode()).as(made.body()).isEqualTo(200);
                head = new ObjectMapper()
                        .readTree(made.body())
                        .at("/targetBranch/hash")
                        .asText();
            }
            HttpResponse<String> made = post(
                    "?type=BRANCH&name=untrusted-target",
                    "{\"type\":\"BRANCH\",\"name\":\"untrusted-locations\",\"hash\":\"" + head + "~1\"}");
            assertThat(made.statusCode()).as(made.body()).isEqualTo(200);
            assertThat(post(
                                    "/untrusted-target@" + NO_ANCESTOR + "/history/merge",
                                    "{\"fromRefName\":\"untrusted-locations\",\"fromHash\":\"" + head + "\"}")
                            .statusCode())
                    .isEqualTo(200);
            for (String path : List.of(
                    "/untrusted-target/entries?content=true",
                    "/untrusted-target/contents/t0?with-doc=true&for-write=true",
                    "/untrusted-locations/history?fetch=ALL",
                    "/untrusted-locations/diff/main")) {
                assertThat(get(path).statusCode()).as(path).isEqualTo(200);
            }

            assertThat(listener.accept()).as("a connection to " + address).isNull();
        }
    }

    @Test
    void headersThatGoIntoCommitsAreText() throws Exception {
        branch("untrusted-headers");
        HttpResponse<String> made = post(
                "/untrusted-headers@" + NO_ANCESTOR + "/history/commit",
                commit("\"a\"", table("m")),
                "Nessie-Commit-Message",
                "a\\r\\nForged: yes <script>",
                "Nessie-Commit-Authors",
                "\"; DROP TABLE x; --, b",
                "Nessie-Commit-Property-" + "p".repeat(200),
                "v");
        assertThat(made.statusCode()).as(made.body()).isEqualTo(200);
        HttpResponse<String> log = get("/untrusted-headers/history");
        assertThat(log.headers().firstValue("Forged")).isEmpty();
        assertThat(log.headers().firstValue("Content-Type").orElseThrow()).startsWith("application/json");
        assertThat(new ObjectMapper()
                        .readTree(log.body())
                        .at("/logEntries/0/commitMeta/message")
                        .asText())
                .isEqualTo("a\\r\\nForged: yes <script>");
    }
}
