package org.anabranch.cli.stories;

import static org.anabranch.cli.stories.CatalogClient.table;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.projectnessie.model.Branch;
import org.projectnessie.model.ContentKey;
import org.projectnessie.model.Operation.Put;
import org.projectnessie.model.Reference;

/** Whatever is sent, the answer is a clear 4xx with an error body, and nothing is left behind. */
class MalformedInputIT {

    @RegisterExtension
    static final RunningService SERVICE = new RunningService();

    private static final int FIFTY_MEGABYTES = 50_000_000;

    private static CatalogClient client;
    private static Http http;
    private static Branch branch;
    private static List<Reference> references;

    /**
     * A request that must be refused.
     *
     * @param path below the base; {@code BRANCH} stands for an existing branch, {@code HEAD} for its hash
     * @param body null for none
     * @param headers names and values in turn, besides those of a JSON request
     */
    private record BadRequest(String name, String method, String path, byte[] body, String... headers) {

        static BadRequest get(String name, String path) {
            return new BadRequest(name, "GET", path, null);
        }

        static BadRequest post(String name, String path, String body) {
            return new BadRequest(name, "POST", path, body.getBytes(StandardCharsets.UTF_8));
        }

        /** A commit to the branch, from its head. */
        static BadRequest commit(String name, String body) {
            return post("commit: " + name, "/trees/BRANCH@HEAD/history/commit", body);
        }

        /** A well-formed commit but for the key of its one operation. */
        static BadRequest commitWithKey(String name, String elements) {
            return commit(
                    name,
                    commitOf("{\"type\":\"PUT\",\"key\":{\"elements\":" + elements + "},\"content\":"
                            + "{\"type\":\"ICEBERG_TABLE\",\"metadataLocation\":\"m\",\"snapshotId\":1,\"schemaId\":1,"
                            + "\"specId\":1,\"sortOrderId\":1}}"));
        }

        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<BadRequest> badRequests() {
        List<BadRequest> all = new ArrayList<>();
        String merge = "/trees/BRANCH@HEAD/history/merge";
        for (String path : List.of(
                "/trees/BRANCH@HEAD/history/commit",
                merge,
                "/trees/BRANCH@HEAD/contents",
                "/trees?name=never-created&type=BRANCH",
                "/config/repository")) {
            all.add(BadRequest.post("broken JSON to " + path, path, "{\"commitMeta\": {\"message\": \"x\""));
            all.add(BadRequest.post("no JSON to " + path, path, "commit, please"));
            all.add(BadRequest.post("an array to " + path, path, "[]"));
            all.add(BadRequest.post("null to " + path, path, "null"));
            all.add(BadRequest.post("nothing to " + path, path, ""));
            all.add(new BadRequest(
                    "no UTF-8 to " + path, "POST", path, new byte[] {'{', '"', (byte) 0xc3, (byte) 0x28, '"', '}'}));
            all.add(BadRequest.post("deep nesting to " + path, path, "{\"a\":".repeat(50_000)));
            all.add(new BadRequest(
                    "text to " + path,
                    "POST",
                    path,
                    "hello".getBytes(StandardCharsets.UTF_8),
                    "Content-Type",
                    "text/plain"));
            all.add(new BadRequest(
                    "gzip that is none to " + path,
                    "POST",
                    path,
                    "{}".getBytes(StandardCharsets.UTF_8),
                    "Content-Encoding",
                    "gzip"));
        }

        all.add(BadRequest.commit(
                "operations of a wrong type", "{\"commitMeta\":{\"message\":\"m\"},\"operations\":7}"));
        all.add(BadRequest.commit("no operations", "{\"commitMeta\":{\"message\":\"m\"},\"operations\":[]}"));
        all.add(BadRequest.commit("no metadata", "{\"operations\":[" + deleteOf("[\"t\"]") + "]}"));
        all.add(BadRequest.commit(
                "metadata of a wrong type", "{\"commitMeta\":[],\"operations\":[" + deleteOf("[\"t\"]") + "]}"));
        all.add(BadRequest.commit(
                "an unknown operation", commitOf("{\"type\":\"TRUNCATE\",\"key\":{\"elements\":[\"t\"]}}")));
        all.add(BadRequest.commit(
                "a put without content", commitOf("{\"type\":\"PUT\",\"key\":{\"elements\":[\"n\"]}}")));
        all.add(BadRequest.commit(
                "an unknown content",
                commitOf("{\"type\":\"PUT\",\"key\":{\"elements\":[\"n\"]},\"content\":{\"type\":\"SPREADSHEET\"}}")));
        all.add(
                BadRequest.commit(
                        "a number that is none",
                        commitOf(
                                "{\"type\":\"PUT\",\"key\":{\"elements\":[\"n\"]},\"content\":{\"type\":\"ICEBERG_TABLE\","
                                        + "\"metadataLocation\":\"m\",\"snapshotId\":\"many\",\"schemaId\":1,\"specId\":1,\"sortOrderId\":1}}")));

        all.add(BadRequest.commitWithKey("a key that is a string", "\"n\""));
        all.add(BadRequest.commitWithKey("a key without elements", "[]"));
        all.add(BadRequest.commitWithKey("a key with an empty element", "[\"a\",\"\"]"));
        all.add(BadRequest.commitWithKey("a key with a null element", "[\"a\",null]"));
        all.add(BadRequest.commitWithKey("a key of 21 elements", "[" + "\"e\",".repeat(20) + "\"e\"]"));
        all.add(BadRequest.commitWithKey("a key of 501 characters", "[\"" + "k".repeat(501) + "\"]"));
        all.add(BadRequest.commitWithKey("a key with a control character", "[\"a\\u0001b\"]"));
        all.add(BadRequest.commitWithKey("a key of a megabyte", "[\"" + "k".repeat(1_000_000) + "\"]"));

        String commit = commitOf(deleteOf("[\"t\"]"));
        all.add(BadRequest.post("commit to an unknown branch", "/trees/no-such-branch@HEAD/history/commit", commit));
        all.add(BadRequest.post("commit without an expected hash", "/trees/BRANCH/history/commit", commit));
        all.add(BadRequest.post(
                "commit from an unknown hash", "/trees/BRANCH@" + "ab".repeat(32) + "/history/commit", commit));
        all.add(BadRequest.post("commit from a bad hash", "/trees/BRANCH@nothex/history/commit", commit));
        all.add(BadRequest.post("merge from an unknown branch", merge, mergeOf("no-such-branch", "ab".repeat(32))));
        all.add(BadRequest.post("merge from a bad hash", merge, mergeOf("main", "xyz")));

        all.add(BadRequest.get("an unknown reference", "/trees/no-such-branch"));
        all.add(BadRequest.get("a bad reference name", "/trees/..%2F..%2Fetc"));
        all.add(BadRequest.get("an unknown hash", "/trees/BRANCH@" + "ab".repeat(32) + "/entries"));
        all.add(BadRequest.get("a number parameter that is none", "/trees/BRANCH/entries?max-records=ten"));
        all.add(BadRequest.get("a number parameter out of range", "/trees/BRANCH/entries?max-records=99999999999"));
        all.add(BadRequest.get("an unknown fetch option", "/trees?fetch=all"));
        all.add(BadRequest.get("a bad page token", "/trees/BRANCH/entries?page-token=%25%25not-a-token"));
        all.add(BadRequest.get("a broken filter", "/trees/BRANCH/entries?filter=entry.name%20%3D%3D"));
        all.add(BadRequest.get("a filter of no condition", "/trees/BRANCH/entries?filter=size(entry.name)"));
        all.add(BadRequest.get("an oversized key in the path", "/trees/BRANCH/contents/" + "k".repeat(501)));
        all.add(BadRequest.get("an unknown key", "/trees/BRANCH/contents/no-such-table"));
        all.add(BadRequest.get("no route: an unknown path", "/branches"));
        all.add(new BadRequest("no route: an unknown method", "PATCH", "/trees/BRANCH", new byte[0]));
        all.add(new BadRequest(
                "a reference name that is none",
                "POST",
                "/trees?name=a..b&type=BRANCH",
                "{\"type\":\"BRANCH\",\"name\":\"BRANCH\",\"hash\":\"HEAD\"}".getBytes(StandardCharsets.UTF_8)));
        all.add(BadRequest.post(
                "a reference kind that is none",
                "/trees?name=never-created&type=FORK",
                "{\"type\":\"BRANCH\",\"name\":\"BRANCH\",\"hash\":\"HEAD\"}"));
        all.add(new BadRequest(
                "assign without a target", "PUT", "/trees/BRANCH@HEAD", "{}".getBytes(StandardCharsets.UTF_8)));
        all.add(new BadRequest("delete from an unknown hash", "DELETE", "/trees/BRANCH@" + "ab".repeat(32), null));

        byte[] huge = hugeCommit();
        all.add(new BadRequest("50 MB", "POST", "/trees/BRANCH@HEAD/history/commit", huge));
        all.add(new BadRequest(
                "50 MB in a few kilobytes of gzip",
                "POST",
                "/trees/BRANCH@HEAD/history/commit",
                gzip(huge),
                "Content-Encoding",
                "gzip"));
        return all.stream();
    }

    @BeforeAll
    static void open() throws Exception {
        client = new CatalogClient(SERVICE.api());
        http = new Http(SERVICE.api());
        branch = client.commit(client.emptyBranch("untouched"), "base", Put.of(ContentKey.of("t"), table(1)));
        references = client.api().getAllReferences().stream().toList();
    }

    @AfterAll
    static void close() {
        http.close();
        client.close();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("badRequests")
    void isRefusedAndLeavesNothing(BadRequest bad) throws Exception {
        HttpRequest.Builder request =
                http.request(bad.path().replace("BRANCH", branch.getName()).replace("HEAD", branch.getHash()));
        if (bad.body() == null) {
            request.method(bad.method(), BodyPublishers.noBody());
        } else {
            request.method(bad.method(), BodyPublishers.ofByteArray(bad.body()))
                    .setHeader("Content-Type", "application/json");
        }
        for (int i = 0; i < bad.headers().length; i += 2) {
            request.setHeader(bad.headers()[i], bad.headers()[i + 1]);
        }

        HttpResponse<String> response = http.send(request.build());

        assertThat(response.statusCode()).as(response.body()).isBetween(400, 499);
        JsonNode error = Http.JSON.readTree(response.body());
        assertThat(error.path("status").asInt()).isEqualTo(response.statusCode());
        String code = error.path("errorCode").asText();
        assertThat(code).isNotEmpty();
        assertThat(code.equals("UNKNOWN"))
                .as("%s: the protocol has no code for a missing route, and one for everything else", code)
                .isEqualTo(bad.name().startsWith("no route: "));
        assertThat(error.path("reason").asText()).isNotBlank();
        assertThat(error.path("message").asText()).isNotBlank();
        assertThat(client.api().getAllReferences().stream().toList()).isEqualTo(references);
    }

    private static String commitOf(String operation) {
        return "{\"commitMeta\":{\"message\":\"m\"},\"operations\":[" + operation + "]}";
    }

    private static String deleteOf(String elements) {
        return "{\"type\":\"DELETE\",\"key\":{\"elements\":" + elements + "}}";
    }

    private static String mergeOf(String reference, String hash) {
        return "{\"fromRefName\":\"" + reference + "\",\"fromHash\":\"" + hash + "\"}";
    }

    /** A commit that would be good if its message were shorter. */
    private static byte[] hugeCommit() {
        return ("{\"commitMeta\":{\"message\":\"" + "m".repeat(FIFTY_MEGABYTES) + "\"},\"operations\":["
                        + deleteOf("[\"t\"]") + "]}")
                .getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] gzip(byte[] plain) {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
            gzip.write(plain);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return packed.toByteArray();
    }
}
