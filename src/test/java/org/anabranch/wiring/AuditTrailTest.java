package org.anabranch.wiring;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.QuarkusTestProfile;
import io.quarkus.test.junit.TestProfile;
import io.quarkus.test.oidc.server.OidcWiremockTestResource;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the audit file says of requests, in strict mode, of callers whom an OpenID provider vouches for. */
@QuarkusTest
@TestProfile(AuditTrailTest.Profile.class)
@QuarkusTestResource(value = OidcWiremockTestResource.class, restrictToAnnotatedClass = true)
class AuditTrailTest {

    private static final String N0 = "2e1cfa82b035c26cbbbdae632cea070514eb8b773f616aaeaf668e2f0be8f10d";
    private static final Path FOLDER = Path.of("target", "audit-trail-test").toAbsolutePath();
    private static final Path FILE = FOLDER.resolve("audit.jsonl");

    /** Writers may do everything but merge and delete branches. */
    public static final class Profile implements QuarkusTestProfile {

        @Override
        public Map<String, String> getConfigOverrides() {
            Path rules = FOLDER.resolve("rules.yaml");
            try {
                Files.createDirectories(FOLDER);
                Files.deleteIfExists(FILE);
                Files.writeString(rules, """
                    rules:
                      - {allow: [read, create, update, delete, create-reference, assign-reference], roles: [writers]}
                      - {allow: [read], roles: [modelers], references: [main], types: [NAMESPACE]}
                      - {allow: [all], roles: [masters]}
                    """);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            return Map.of(
                    "anabranch.authentication.type", "oidc",
                    "anabranch.authentication.oidc.provider", "${keycloak.url}/realms/quarkus",
                    "anabranch.authentication.oidc.audience", "https://server.example.com",
                    "anabranch.authorization.type", "rules",
                    "anabranch.authorization.rules", rules.toString(),
                    "anabranch.audit.mode", "strict",
                    "anabranch.audit.file", FILE.toString());
        }
    }

    private final HttpClient http = HttpClient.newHttpClient();

    @TestHTTPResource("/api/v2/")
    URI api;

    @TestHTTPResource(value = "", management = true)
    URI management;

    private String branch;
    private int seen;

    /** A branch of its own for each test; what was recorded before is not looked at. */
    @BeforeEach
    void begin() throws Exception {
        branch = "work-" + System.nanoTime();
        JsonNode created = send(
                "master",
                "masters",
                "POST",
                "trees?type=BRANCH&name=" + branch,
                "{\"type\":\"DETACHED\",\"hash\":\"" + N0 + "\"}",
                200);
        assertThat(created.at("/reference/name").asText()).isEqualTo(branch);
        seen = Files.readAllLines(FILE).size();
    }

    private List<JsonNode> records() throws IOException {
        List<JsonNode> records = new ArrayList<>();
        for (String line : Files.readAllLines(FILE)) {
            records.add(new ObjectMapper().readTree(line));
        }
        return records.subList(seen, records.size());
    }

    private JsonNode send(
            String user, String role, String method, String path, String body, int status, String... headers)
            throws Exception {
        return sendTo(api, user, role, method, path, body, status, headers);
    }

    private JsonNode sendTo(
            URI port, String user, String role, String method, String path, String body, int status, String... headers)
            throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(port.resolve(path))
                .timeout(Duration.ofSeconds(30))
                .header("Content-Type", "application/json")
                .header("User-Agent", "audit-test/1")
                .method(method, BodyPublishers.ofString(body));
        if (!user.isEmpty()) {
            request.header("Authorization", "Bearer " + OidcWiremockTestResource.getAccessToken(user, Set.of(role)));
        }
        if (headers.length > 0) {
            request.headers(headers);
        }
        HttpResponse<String> response = http.send(request.build(), BodyHandlers.ofString());
        assertThat(response.statusCode()).as(response.body()).isEqualTo(status);
        return new ObjectMapper().readTree(response.body().isEmpty() ? "{}" : response.body());
    }

    private static String put(String key) {
        return "{\"type\":\"PUT\",\"key\":{\"elements\":[\"" + key + "\"]},\"content\":{\"type\":\"ICEBERG_TABLE\","
                + "\"metadataLocation\":\"s3://lake/t\",\"snapshotId\":1,\"schemaId\":0,\"specId\":0,\"sortOrderId\":0}}";
    }

    private static String commit(String operations) {
        return "{\"commitMeta\":{\"message\":\"a table\"},\"operations\":[" + operations + "]}";
    }

    private String commit(String expected, String key) throws Exception {
        return send(
                        "etl",
                        "writers",
                        "POST",
                        "trees/" + branch + "@" + expected + "/history/commit",
                        commit(put(key)),
                        200)
                .at("/targetBranch/hash")
                .asText();
    }

    @Test
    void aCommitIsRecordedBeforeAndAfterIt() throws Exception {
        String first = commit(N0, "a");
        seen = Files.readAllLines(FILE).size();
        String second = send(
                        "etl",
                        "writers",
                        "POST",
                        "trees/" + branch + "@" + N0 + "/history/commit",
                        commit(put("b")),
                        200,
                        "X-Request-Id",
                        "nightly-7")
                .at("/targetBranch/hash")
                .asText();

        assertThat(records()).hasSize(2);
        JsonNode intent = records().get(0);
        assertThat(intent.get("event").asText()).isEqualTo("intent");
        assertThat(intent.has("outcome")).isFalse();
        JsonNode write = records().get(1);
        assertThat(write.get("event").asText()).isEqualTo("write");
        assertThat(write.get("outcome").asText()).isEqualTo("done");
        assertThat(write.get("oldHead").asText()).isEqualTo(first);
        assertThat(write.get("newHead").asText()).isEqualTo(second);
        for (JsonNode entry : records()) {
            assertThat(entry.get("requestId").asText()).isEqualTo("nightly-7");
            assertThat(entry.get("user").asText()).isEqualTo("etl");
            assertThat(entry.get("roles").toString()).isEqualTo("[\"writers\"]");
            assertThat(entry.get("operation").asText()).isEqualTo("commit");
            assertThat(entry.get("reference").asText()).isEqualTo(branch);
            assertThat(entry.get("keys").toString()).isEqualTo("[\"b\"]");
            assertThat(entry.get("client").asText()).isEqualTo("127.0.0.1");
            assertThat(entry.has("connection")).isFalse();
            assertThat(entry.get("userAgent").asText()).isEqualTo("audit-test/1");
        }
    }

    /** So that an intent without an end is found whatever clients call their requests. */
    @Test
    void theRecordsOfARequestHaveAnIdThatNoClientChooses() throws Exception {
        for (String key : List.of("a", "b")) {
            String path = "trees/" + branch + "@" + N0 + "/history/commit";
            send("etl", "writers", "POST", path, commit(put(key)), 200, "X-Request-Id", "nightly-7");
        }

        assertThat(records())
                .hasSize(4)
                .allSatisfy(each -> assertThat(each.get("requestId").asText()).isEqualTo("nightly-7"));
        List<String> ids =
                records().stream().map(each -> each.get("id").asText()).toList();
        assertThat(ids.get(0)).isEqualTo(ids.get(1)).hasSize(36);
        assertThat(ids.get(2)).isEqualTo(ids.get(3)).hasSize(36).isNotEqualTo(ids.get(0));
    }

    /** Nobody told the service to trust a proxy. */
    @Test
    void aClientDoesNotChooseItsAddress() throws Exception {
        send(
                "etl",
                "writers",
                "POST",
                "trees/" + branch + "@" + N0 + "/history/commit",
                commit(put("b")),
                200,
                "X-Forwarded-For",
                "10.9.8.7",
                "Forwarded",
                "for=10.9.8.7");
        assertThat(records().get(1).get("client").asText()).isEqualTo("127.0.0.1");
    }

    @Test
    void ofManyKeysItIsSaidHowManyThereAre() throws Exception {
        String operations = IntStream.range(0, 150).mapToObj(i -> put("t" + i)).collect(Collectors.joining(","));
        send("etl", "writers", "POST", "trees/" + branch + "@" + N0 + "/history/commit", commit(operations), 200);
        JsonNode write = records().get(1);
        assertThat(write.get("keys")).hasSize(100);
        assertThat(write.get("moreKeys").asInt()).isEqualTo(50);
    }

    @Test
    void aConflictAndAMistakeAreRecordedAsSuch() throws Exception {
        commit(N0, "a");
        seen = Files.readAllLines(FILE).size();
        send("etl", "writers", "POST", "trees/" + branch + "@" + N0 + "/history/commit", commit(put("a")), 409);
        send("etl", "writers", "POST", "trees/" + branch + "@11223344/history/commit", commit(put("a")), 404);
        assertThat(records().stream().map(each -> each.path("outcome").asText()))
                .containsExactly("", "conflict", "", "refused");
        assertThat(records().get(1).get("keys").toString()).isEqualTo("[\"a\"]");
        assertThat(records().get(1).get("detail").asText()).contains("'a' already exists");
        assertThat(records().get(1).has("newHead")).isFalse();
    }

    @Test
    void aDenialOfAWriteSaysWhatItWas() throws Exception {
        send("etl", "writers", "DELETE", "trees/" + branch + "@" + N0, "", 403);
        assertThat(records()).hasSize(2);
        JsonNode denial = records().get(1);
        assertThat(denial.get("event").asText()).isEqualTo("denial");
        assertThat(denial.get("outcome").asText()).isEqualTo("denied");
        assertThat(denial.get("operation").asText()).isEqualTo("delete-reference");
        assertThat(denial.get("reference").asText()).isEqualTo(branch);
        assertThat(denial.get("detail").asText()).contains("DELETE_REFERENCE on '" + branch + "'");
    }

    @Test
    void theDefaultBranchIsRecordedByItsName() throws Exception {
        send("etl", "writers", "DELETE", "trees/-@" + N0, "", 403);
        send("etl", "writers", "POST", "trees/-@" + N0 + "/history/commit", commit(put("n\",\"t")), 409);
        assertThat(records())
                .hasSize(4)
                .allSatisfy(
                        record -> assertThat(record.get("reference").asText()).isEqualTo("main"));
    }

    @Test
    void aDenialOfAReadSaysWhatItWas() throws Exception {
        send("etl", "writers", "GET", "config/repository?type=GARBAGE_COLLECTOR", "", 403);
        assertThat(records()).singleElement().satisfies(denial -> {
            assertThat(denial.get("event").asText()).isEqualTo("denial");
            assertThat(denial.get("user").asText()).isEqualTo("etl");
            assertThat(denial.get("operation").asText()).isEqualTo("GET /api/v2/config/repository");
            assertThat(denial.get("detail").asText()).contains("READ_REPOSITORY_CONFIG");
        });
    }

    private void assertHidden(JsonNode denial, String operation, String detail) {
        assertThat(denial.get("event").asText()).isEqualTo("denial");
        assertThat(denial.get("outcome").asText()).isEqualTo("hidden");
        assertThat(denial.get("operation").asText()).isEqualTo(operation);
        assertThat(denial.get("detail").asText()).startsWith("Not allowed for ").contains(detail);
    }

    /** The answer says that there is no such reference, and nobody has looked whether there is. */
    @Test
    void aDenialThatIsAnswered404IsRecordedWhetherThereIsSomethingOrNot() throws Exception {
        JsonNode there = send("bob", "readers", "GET", "trees/" + branch, "", 404);
        JsonNode absent = send("bob", "readers", "GET", "trees/absent", "", 404);
        assertThat(there.toString().replace(branch, "absent")).isEqualTo(absent.toString());
        assertThat(there.toString()).doesNotContain("allowed").doesNotContain("VIEW_REFERENCE");
        send("bob", "readers", "GET", "trees", "", 200);
        assertThat(records()).as("what a listing leaves out is not denied").hasSize(2);
        assertHidden(records().get(0), "GET /api/v2/trees/" + branch, "VIEW_REFERENCE on '" + branch + "'");
        assertHidden(records().get(1), "GET /api/v2/trees/absent", "VIEW_REFERENCE on 'absent'");
        assertThat(records().get(0).get("user").asText()).isEqualTo("bob");
    }

    @Test
    void whatIsNotThereIsNoDenial() throws Exception {
        send("etl", "writers", "GET", "trees/absent", "", 404);
        send("etl", "writers", "GET", "trees/" + branch + "/contents/absent", "", 404);
        assertThat(records()).isEmpty();
    }

    @Test
    void aCommitThatMayNotBeReadIsADenial() throws Exception {
        String head = commit(N0, "a");
        seen = Files.readAllLines(FILE).size();
        send("etl", "writers", "GET", "trees/main@" + head + "/entries", "", 404);
        assertThat(records())
                .singleElement()
                .satisfies(denial -> assertHidden(
                        denial, "GET /api/v2/trees/main@" + head + "/entries", "READ_DETACHED on 'DETACHED'"));
    }

    @Test
    void aContentOfATypeThatMayNotBeReadIsADenial() throws Exception {
        send("mo", "modelers", "GET", "trees/main/contents/tables.a", "", 404);
        send("mo", "modelers", "GET", "trees/main/contents?key=tables.a", "", 200);
        assertThat(records())
                .singleElement()
                .satisfies(denial -> assertHidden(
                        denial,
                        "GET /api/v2/trees/main/contents/tables.a",
                        "READ_ENTITY_VALUE of 'tables.a' on 'main'"));
    }

    @Test
    void aWriteToWhatMayNotBeSeenIsOneDenial() throws Exception {
        send("bob", "readers", "POST", "trees/" + branch + "@" + N0 + "/history/commit", commit(put("a")), 404);
        assertThat(records()).hasSize(2);
        assertThat(records().get(0).get("event").asText()).isEqualTo("intent");
        assertHidden(records().get(1), "commit", "VIEW_REFERENCE on '" + branch + "'");
        assertThat(records().get(1).get("reference").asText()).isEqualTo(branch);
        assertThat(records().get(1).get("keys").toString()).isEqualTo("[\"a\"]");
    }

    @Test
    void whatOperatorsAskForIsRecorded() throws Exception {
        sendTo(management, "ann", "masters", "POST", "/admin/sweep?mode=dry-run", "", 202, "X-Request-Id", "sunday");
        sendTo(management, "ann", "masters", "GET", "/admin/sweep", "", 200);
        sendTo(management, "ann", "masters", "DELETE", "/admin/check", "", 202);
        sendTo(management, "ann", "masters", "POST", "/admin/check?mode=some", "", 400);
        assertThat(records().stream()
                        .map(each -> each.get("event").asText() + " "
                                + each.get("operation").asText() + " "
                                + each.path("outcome").asText()))
                .containsExactly(
                        "intent sweep ",
                        "admin sweep started",
                        "intent end-check ",
                        "admin end-check done",
                        "intent check ",
                        "admin check refused");
        JsonNode sweep = records().get(1);
        assertThat(sweep.get("user").asText()).isEqualTo("ann");
        assertThat(sweep.get("roles").toString()).isEqualTo("[\"masters\"]");
        assertThat(sweep.get("requestId").asText()).isEqualTo("sunday");
        assertThat(sweep.get("client").asText()).isEqualTo("127.0.0.1");
        assertThat(sweep.get("userAgent").asText()).isEqualTo("audit-test/1");
        assertThat(sweep.get("detail").asText()).isEqualTo("mode=dry-run");
        assertThat(records().get(3).get("requestId").asText()).isNotEqualTo("sunday");
    }

    @Test
    void anExportIsRecordedAtItsEnd() throws Exception {
        HttpRequest export = HttpRequest.newBuilder(management.resolve("/admin/export"))
                .timeout(Duration.ofSeconds(30))
                .header("Authorization", "Bearer " + OidcWiremockTestResource.getAccessToken("ann", Set.of("masters")))
                .build();
        assertThat(http.send(export, BodyHandlers.ofByteArray()).statusCode()).isEqualTo(200);
        assertThat(records()).hasSize(2);
        assertThat(records().get(0).get("event").asText()).isEqualTo("intent");
        JsonNode entry = records().get(1);
        assertThat(entry.get("event").asText()).isEqualTo("admin");
        assertThat(entry.get("operation").asText()).isEqualTo("export");
        assertThat(entry.get("outcome").asText()).isEqualTo("done");
        assertThat(entry.get("user").asText()).isEqualTo("ann");
    }

    @Test
    void whoIsNotLetToTheManagementPortIsRecorded() throws Exception {
        sendTo(management, "etl", "writers", "POST", "/admin/sweep", "", 403, "X-Request-Id", "probe-1");
        sendTo(management, "", "", "GET", "/admin/export", "", 401, "X-Request-Id", "probe-2");
        assertThat(records().stream()
                        .map(each -> each.get("requestId").asText() + " "
                                + each.get("event").asText() + " "
                                + each.get("outcome").asText() + " "
                                + each.path("user").asText() + " "
                                + each.get("operation").asText() + " "
                                + each.get("client").asText()))
                .containsExactly(
                        "probe-1 denial denied etl POST /admin/sweep 127.0.0.1",
                        "probe-2 denial unauthenticated  GET /admin/export 127.0.0.1");
        assertThat(records().get(0).get("detail").asText())
                .isEqualTo("Not allowed for 'etl' with roles [writers]: ADMIN_SWEEP");
    }

    @Test
    void whoIsNotKnownIsRecorded() throws Exception {
        send("", "", "GET", "trees/main/entries", "", 401, "X-Request-Id", "probe");
        assertThat(records()).singleElement().satisfies(denial -> {
            assertThat(denial.get("outcome").asText()).isEqualTo("unauthenticated");
            assertThat(denial.has("user")).isFalse();
            assertThat(denial.get("requestId").asText()).isEqualTo("probe");
            assertThat(denial.get("operation").asText()).isEqualTo("GET /api/v2/trees/main/entries");
            assertThat(denial.get("client").asText()).isEqualTo("127.0.0.1");
        });
    }

    @Test
    void aReferenceIsFollowedFromItsBeginningToItsEnd() throws Exception {
        String name = branch + "x";
        String head = commit(N0, "a");
        seen = Files.readAllLines(FILE).size();
        String at = "{\"type\":\"DETACHED\",\"hash\":\"%s\"}";
        send("ann", "masters", "POST", "trees?type=TAG&name=" + name, at.formatted(N0), 200);
        send("ann", "masters", "PUT", "trees/" + name + "@" + N0, at.formatted(head), 200);
        send("ann", "masters", "DELETE", "trees/" + name + "@" + head, "", 200);
        List<JsonNode> writes = records().stream()
                .filter(each -> each.get("event").asText().equals("write"))
                .toList();
        assertThat(writes.stream()
                        .map(each -> each.get("operation").asText() + " "
                                + each.path("oldHead").asText("-") + " "
                                + each.path("newHead").asText("-")))
                .containsExactly(
                        "create-reference - " + N0,
                        "assign-reference " + N0 + " " + head,
                        "delete-reference " + head + " -");
        assertThat(writes)
                .allSatisfy(each -> assertThat(each.get("reference").asText()).isEqualTo(name));
    }

    @Test
    void aMergeIsRecordedWithWhatItBrought() throws Exception {
        String other = branch + "y";
        String base = commit(N0, "a");
        send(
                "ann",
                "masters",
                "POST",
                "trees?type=BRANCH&name=" + other,
                "{\"type\":\"DETACHED\",\"hash\":\"" + base + "\"}",
                200);
        String head = commit(base, "b");
        seen = Files.readAllLines(FILE).size();
        String merge = "{\"fromRefName\":\"" + branch + "\",\"fromHash\":\"" + head + "\",\"dryRun\":%s}";
        send("ann", "masters", "POST", "trees/" + other + "@" + base + "/history/merge", merge.formatted(true), 200);
        assertThat(records()).as("a dry run").isEmpty();
        send("etl", "writers", "POST", "trees/" + other + "@" + base + "/history/merge", merge.formatted(true), 403);
        assertThat(records()).as("a dry run that is denied").hasSize(1);
        send("ann", "masters", "POST", "trees/" + other + "@" + base + "/history/merge", merge.formatted(false), 200);
        JsonNode write = records().get(2);
        assertThat(write.get("operation").asText()).isEqualTo("merge");
        assertThat(write.get("oldHead").asText()).isEqualTo(base);
        assertThat(write.get("keys").toString()).isEqualTo("[\"b\"]");
    }

    @Test
    void whatARequestHoldsStaysOnItsLine() throws Exception {
        send("", "", "GET", "trees/a%0A%7B%22event%22:%22write%22%7D%1B%5B2J/entries", "", 401);
        send("etl", "writers", "DELETE", "trees/" + branch + "%0Ax@" + N0, "", 400);
        send(
                "etl",
                "writers",
                "POST",
                "trees/" + branch + "@" + N0 + "/history/commit",
                commit(put("a\\u2028{\\\"event\\\":1}\\u009b")),
                200);
        for (String line : Files.readAllLines(FILE)) {
            assertThat(line).matches("[\\x20-\\x7e]+");
            assertThat(new ObjectMapper().readTree(line).has("time")).isTrue();
        }
        assertThat(records().get(0).get("operation").asText()).doesNotContain("\n");
    }
}
