package org.anabranch.wiring;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests that are sent twice with the header {@code Idempotency-Key}. */
@QuarkusTest
class IdempotencyKeyTest {

    private static final String N0 = "2e1cfa82b035c26cbbbdae632cea070514eb8b773f616aaeaf668e2f0be8f10d";
    private static final String KEY = "Idempotency-Key";

    private final HttpClient http = HttpClient.newHttpClient();

    @TestHTTPResource("/api")
    URI api;

    private record Answer(int status, String body) {

        JsonNode json() throws IOException {
            return new ObjectMapper().readTree(body);
        }

        String message() throws IOException {
            return json().get("message").asText();
        }
    }

    private Answer send(String method, String path, BodyPublisher body, String... headers) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(api + path))
                .timeout(Duration.ofSeconds(30))
                .header("Content-Type", "application/json")
                .method(method, body);
        if (headers.length > 0) {
            request.headers(headers);
        }
        HttpResponse<String> response = http.send(request.build(), BodyHandlers.ofString());
        return new Answer(response.statusCode(), response.body());
    }

    private Answer send(String method, String path, String body, String... headers) throws Exception {
        return send(method, path, BodyPublishers.ofString(body), headers);
    }

    private static Answer ok(Answer answer) {
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        return answer;
    }

    private Answer create(String name, String... headers) throws Exception {
        return createAt(N0, name, headers);
    }

    private Answer createAt(String hash, String name, String... headers) throws Exception {
        return send(
                "POST",
                "/v2/trees?type=BRANCH&name=" + name,
                "{\"type\":\"DETACHED\",\"hash\":\"" + hash + "\"}",
                headers);
    }

    private String committed(String branch, String at, String key) throws Exception {
        return ok(send("POST", "/v2/trees/" + branch + "@" + at + "/history/commit", commit(key)))
                .json()
                .at("/targetBranch/hash")
                .asText();
    }

    private static String commit(String key) {
        return "{\"commitMeta\":{\"message\":\"m\"},\"operations\":[{\"type\":\"PUT\",\"key\":{\"elements\":[\"" + key
                + "\"]},\"content\":{\"type\":\"NAMESPACE\",\"elements\":[\"" + key + "\"]}}]}";
    }

    private static byte[] gzip(String text) throws IOException {
        ByteArrayOutputStream compressed = new ByteArrayOutputStream();
        try (OutputStream out = new GZIPOutputStream(compressed)) {
            out.write(text.getBytes(StandardCharsets.UTF_8));
        }
        return compressed.toByteArray();
    }

    private JsonNode log(String branch) throws Exception {
        return ok(send("GET", "/v2/trees/" + branch + "/history", BodyPublishers.noBody()))
                .json()
                .get("logEntries");
    }

    @Test
    void aCommitIsAnsweredAlikeCompressedOrNot() throws Exception {
        ok(create("repeats"));
        String path = "/v2/trees/repeats@" + N0 + "/history/commit";

        Answer first = ok(send("POST", path, commit("a"), KEY, "k"));

        assertThat(first.json().get("addedContents")).hasSize(1);
        assertThat(send("POST", path, commit("a"), KEY, "k")).isEqualTo(first);
        BodyPublisher compressed = BodyPublishers.ofByteArray(gzip(commit("a")));
        assertThat(send("POST", path, compressed, KEY, "k", "Content-Encoding", "gzip"))
                .isEqualTo(first);
        assertThat(log("repeats")).hasSize(1);
    }

    @Test
    void anotherBodyOrQueryOrHeaderIsAnotherRequest() throws Exception {
        ok(create("others"));
        String path = "/v2/trees/others@" + N0 + "/history/commit";
        ok(send("POST", path, commit("a"), KEY, "k"));

        for (Answer answer : new Answer[] {
            send("POST", path, commit("b"), KEY, "k"),
            send("POST", path, commit("a") + " ", KEY, "k"),
            send("POST", path, commit("a"), KEY, "k", "Nessie-Commit-Message", "another"),
            send("POST", path + "?x=1", commit("a"), KEY, "k"),
            send("DELETE", "/v2/trees/others@" + N0, "", KEY, "k")
        }) {
            assertThat(answer.status()).as(answer.body()).isEqualTo(400);
            assertThat(answer.message()).contains("Idempotency-Key", "'k'", "'others'");
        }
        assertThat(log("others")).hasSize(1);
        assertThat(send("POST", path, commit("a"), KEY, "l").status()).isEqualTo(409);
    }

    @Test
    void mergesTransplantsAndRevertsToo() throws Exception {
        ok(create("m-source"));
        String base = committed("m-source", N0, "base");
        ok(createAt(base, "m-merge"));
        ok(createAt(base, "m-transplant"));
        String head = committed("m-source", base, "a");
        String merge = "{\"fromRefName\":\"m-source\",\"fromHash\":\"" + head + "\"}";
        String transplant = "{\"fromRefName\":\"m-source\",\"hashesToTransplant\":[\"" + head + "\"]}";
        String revert = "{\"hash\":\"" + head + "\"}";
        String[][] requests = {
            {"/v2/trees/m-merge@" + base + "/history/merge", merge},
            {"/v2/trees/m-transplant@" + base + "/history/transplant", transplant},
            {"/ext/v1/trees/m-source@" + head + "/history/revert", revert}
        };
        for (String[] request : requests) {
            Answer first = ok(send("POST", request[0], request[1], KEY, "k"));
            assertThat(first.json().get("wasApplied").asBoolean()).isTrue();
            assertThat(first.json().get("details")).hasSize(1);
            assertThat(send("POST", request[0], request[1], KEY, "k")).isEqualTo(first);
        }
    }

    @Test
    void referencesToo() throws Exception {
        Answer created = ok(create("refs", KEY, "create"));
        assertThat(create("refs", KEY, "create")).isEqualTo(created);
        assertThat(create("refs", KEY, "another").status()).isEqualTo(409);

        String assign = "{\"type\":\"DETACHED\",\"hash\":\"" + N0 + "\"}";
        Answer assigned = ok(send("PUT", "/v2/trees/refs@" + N0, assign, KEY, "assign"));
        assertThat(send("PUT", "/v2/trees/refs@" + N0, assign, KEY, "assign")).isEqualTo(assigned);

        Answer deleted = ok(send("DELETE", "/v2/trees/refs@" + N0, BodyPublishers.noBody(), KEY, "delete"));
        assertThat(send("DELETE", "/v2/trees/refs@" + N0, BodyPublishers.noBody(), KEY, "delete"))
                .isEqualTo(deleted);
        assertThat(send("DELETE", "/v2/trees/refs@" + N0, BodyPublishers.noBody())
                        .status())
                .isEqualTo(404);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "a\tb"})
    void aKeyThatCannotBeOneIsRefused(String key) throws Exception {
        assertRefused(create("never", KEY, key));
    }

    @Test
    void aKeyThatIsTooLongOrGivenTwiceIsRefused() throws Exception {
        assertRefused(create("never", KEY, "k".repeat(256)));
        assertRefused(create("never", KEY, "k", KEY, "l"));
        assertThat(send("GET", "/v2/trees/never", BodyPublishers.noBody()).status())
                .isEqualTo(404);
        ok(create("longest", KEY, "k".repeat(255)));
    }

    private static void assertRefused(Answer answer) throws IOException {
        assertThat(answer.status()).as(answer.body()).isEqualTo(400);
        assertThat(answer.message()).startsWith("Idempotency-Key: ");
    }
}
