package org.anabranch.wiring;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.SequenceInputStream;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Bodies as clients and attackers send them: compressed, chunked, absent, huge. */
@QuarkusTest
class BodiesTest {

    private static final String COMMIT = "{\"commitMeta\":{\"message\":\"m\"},\"operations\":"
            + "[{\"type\":\"UNCHANGED\",\"key\":{\"elements\":[\"a\"]}}]}";
    private static final int LIMIT = 16 * 1024 * 1024;

    private final HttpClient http = HttpClient.newHttpClient();

    @TestHTTPResource("/api/v2/trees/")
    URI trees;

    private HttpResponse<byte[]> send(BodyPublisher body, String... headers) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(trees.resolve("nowhere@aabbccdd/history/commit"))
                .timeout(Duration.ofSeconds(30))
                .header("Content-Type", "application/json")
                .POST(body);
        if (headers.length > 0) {
            request.headers(headers);
        }
        return http.send(request.build(), BodyHandlers.ofByteArray());
    }

    private static JsonNode error(HttpResponse<byte[]> response) throws IOException {
        return new ObjectMapper().readTree(response.body());
    }

    private static byte[] gzip(byte[] bytes) throws IOException {
        ByteArrayOutputStream compressed = new ByteArrayOutputStream();
        try (OutputStream out = new GZIPOutputStream(compressed)) {
            out.write(bytes);
        }
        return compressed.toByteArray();
    }

    /** That it was read shows in the error: the branch is missed after the body was parsed. */
    private static void assertRead(HttpResponse<byte[]> response) throws IOException {
        assertThat(response.statusCode()).isEqualTo(404);
        assertThat(error(response).get("errorCode").asText()).isEqualTo("REFERENCE_NOT_FOUND");
    }

    private static void assertTooLarge(HttpResponse<byte[]> response) throws IOException {
        assertThat(response.statusCode()).isEqualTo(413);
        assertThat(error(response).get("errorCode").asText()).isEqualTo("BAD_REQUEST");
        assertThat(error(response).get("message").asText()).contains(Integer.toString(LIMIT));
    }

    private static void assertBad(HttpResponse<byte[]> response, String message) throws IOException {
        assertThat(response.statusCode()).isEqualTo(400);
        assertThat(error(response).get("errorCode").asText()).isEqualTo("BAD_REQUEST");
        assertThat(error(response).get("message").asText()).contains(message);
    }

    @Test
    void plainAndChunkedAndCompressedBodiesAreRead() throws Exception {
        byte[] commit = COMMIT.getBytes(StandardCharsets.UTF_8);
        assertRead(send(BodyPublishers.ofByteArray(commit)));
        assertRead(send(BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(commit))));
        assertRead(send(BodyPublishers.ofByteArray(gzip(commit)), "Content-Encoding", "gzip"));
        byte[] compressed = gzip(commit);
        assertRead(send(
                BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(compressed)), "Content-Encoding", "gzip"));
        ByteArrayOutputStream deflated = new ByteArrayOutputStream();
        try (OutputStream out = new DeflaterOutputStream(deflated)) {
            out.write(commit);
        }
        assertRead(send(BodyPublishers.ofByteArray(deflated.toByteArray()), "Content-Encoding", "deflate"));
    }

    @Test
    void bodiesThatAreNotWhatTheirHeaderSaysAreRefused() throws Exception {
        byte[] commit = COMMIT.getBytes(StandardCharsets.UTF_8);
        assertBad(send(BodyPublishers.ofByteArray(gzip(commit))), "not JSON");
        assertBad(send(BodyPublishers.ofByteArray(commit), "Content-Encoding", "gzip"), "Content-Encoding");
        byte[] half = Arrays.copyOf(gzip(commit), 40);
        assertBad(send(BodyPublishers.ofByteArray(half), "Content-Encoding", "gzip"), "Content-Encoding");
        HttpResponse<byte[]> unknown = send(BodyPublishers.ofByteArray(commit), "Content-Encoding", "br");
        assertThat(unknown.statusCode()).isEqualTo(415);
        assertThat(error(unknown).get("message").asText()).contains("br").contains("gzip");
    }

    @Test
    void absentBodiesAreNamed() throws Exception {
        assertBad(send(BodyPublishers.noBody()), "must not be null");
        assertBad(send(BodyPublishers.ofString("null")), "must not be null");
        assertBad(send(BodyPublishers.ofByteArray(gzip(new byte[0])), "Content-Encoding", "gzip"), "must not be null");
    }

    @Test
    void aBodyJustBelowTheLimitIsRead() throws Exception {
        String padding = " ".repeat(LIMIT - COMMIT.length());
        assertRead(send(BodyPublishers.ofString(COMMIT + padding)));
    }

    @Test
    void hugeBodiesAreRefusedHoweverTheyAreSent() throws Exception {
        assertTooLarge(send(BodyPublishers.ofInputStream(() -> spaces(50 << 20))));
        assertTooLarge(send(BodyPublishers.ofByteArray(spaces(50 << 20).readAllBytes())));
        byte[] bomb = gzip(spaces(50 << 20).readAllBytes());
        assertThat(bomb).hasSizeLessThan(100_000);
        assertTooLarge(send(BodyPublishers.ofByteArray(bomb), "Content-Encoding", "gzip"));
        assertTooLarge(send(BodyPublishers.ofString(COMMIT + " ".repeat(LIMIT))));
    }

    /** Parsed, each of them would take more than a hundred megabytes. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'commitMeta':{'message':'m','authors':['a'%s]},'operations':[]}|,'a'",
                "{'commitMeta':{'message':'m','allProperties':{'a':[]%s}},'operations':[]}|,'b':['a']",
                "{'commitMeta':{'message':'m','unknown':[0%s]},'operations':[]}|,{}",
                "{'fromRefName':'main','hashesToTransplant':['~1%s']}|~1",
                "{'commitMeta':{'message':'m','unknown':[0%s]},'operations':[]}|,[]",
                "{'commitMeta':{'message':'\\\\\\'','authors':['a'%s]},'operations':[]}|,'a'"
            })
    void bodiesOfVeryManySmallValuesAreTooLarge(String shape) throws Exception {
        String[] parts = shape.replace('\'', '"').split("\\|");
        String body = parts[0].formatted(parts[1].repeat((LIMIT - 200) / parts[1].length()));
        assertThat(body).hasSizeLessThan(LIMIT);
        assertTooLarge(send(BodyPublishers.ofString(body)));
        assertTooLarge(
                send(BodyPublishers.ofByteArray(body.substring(0, LIMIT / 2 - 1).getBytes(StandardCharsets.UTF_16LE))));
    }

    @Test
    void aBodyAsClientsSendThemCountsAsItsBytes() throws Exception {
        String put =
                "{'type':'PUT','key':{'elements':['sales','orders']},'content':{'type':'ICEBERG_TABLE','metadataLocation':"
                        + "'s3://lake/warehouse/sales/orders/metadata/00001-2f9be3c2-4a0e-4b0e-9d53-2c64b3a60f7e.metadata.json',"
                        + "'snapshotId':7421937312345678901,'schemaId':0,'specId':0,'sortOrderId':0}},";
        String operations = put.replace('\'', '"').repeat((LIMIT - 1_000) / put.length());
        assertBad(
                send(BodyPublishers.ofString(
                        "{\"commitMeta\":{\"message\":\"m\"},\"operations\":[" + operations + "{}]}")),
                "operations");
        String text = "1,[2],{3},".repeat(LIMIT / 10 - 100);
        assertBad(
                send(BodyPublishers.ofString(
                        "{\"commitMeta\":{\"message\":\"m\",\"authors\":[\"" + text + "\"]},\"operations\":[]}")),
                "operations");
    }

    @Test
    void aLengthBeyondTheLimitIsRefusedAtOnce() throws Exception {
        // Nothing is sent but the header, so an answer proves that the body is not waited for.
        assertThat(raw(
                        "POST /api/v2/trees/main/history/commit HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                                + "Content-Length: 52428800\r\n\r\n"))
                .startsWith("HTTP/1.1 413");
    }

    @Test
    void requestsWithoutAHostAreAnswered() throws Exception {
        assertThat(raw("GET /api/v2/config HTTP/1.0\r\n\r\n")).startsWith("HTTP/1.0 200");
        assertThat(raw("GET /api/v2/trees/no/ HTTP/1.0\r\n\r\n")).startsWith("HTTP/1.0 404");
    }

    private String raw(String request) throws IOException {
        try (Socket socket = new Socket(trees.getHost(), trees.getPort())) {
            socket.setSoTimeout(30_000);
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            return new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII))
                    .readLine();
        }
    }

    @Test
    void deepAndWideJsonIsNoDanger() throws Exception {
        assertBad(
                send(BodyPublishers.ofString(
                        "{\"commitMeta\":{\"x\":" + "[".repeat(100_000) + "]".repeat(100_000) + "}}")),
                "nesting");
        assertBad(send(BodyPublishers.ofString("{\"commitMeta\":" + "9".repeat(100_000) + "}")), "Number value length");
        assertBad(send(BodyPublishers.ofString("{\"x\":\"" + "a".repeat(1_000_000) + "\"}")), "commitMeta: ");
    }

    @Test
    void anErrorIsNotAsLongAsItsBody() throws Exception {
        String key =
                "{\"commitMeta\":{\"message\":\"m\"},\"operations\":[{\"type\":\"DELETE\",\"key\":{\"elements\":[%s]}}]}";
        String name = "\"" + "a".repeat(1_000_000) + "\"";
        for (String elements : List.of("\"a\",".repeat(100_000) + "\"a\"", name + ",\"\"", name + ",\"\\u0001\"")) {
            HttpResponse<byte[]> response = send(BodyPublishers.ofString(key.formatted(elements)));
            assertBad(response, "operations[0].key");
            assertThat(response.body()).hasSizeLessThan(2_000);
        }
    }

    @Test
    void answersAreCompressedWhenAsked() throws Exception {
        HttpResponse<byte[]> response = http.send(
                HttpRequest.newBuilder(trees.resolve("main/entries"))
                        .header("Accept-Encoding", "gzip;q=1.0, deflate;q=0.9")
                        .build(),
                BodyHandlers.ofByteArray());
        assertThat(response.headers().firstValue("Content-Encoding")).contains("gzip");
        try (InputStream in = new GZIPInputStream(new ByteArrayInputStream(response.body()))) {
            assertThat(new String(in.readAllBytes(), StandardCharsets.UTF_8)).contains("\"entries\":[]");
        }
    }

    private static InputStream spaces(int count) {
        return new SequenceInputStream(
                new ByteArrayInputStream("{".getBytes(StandardCharsets.US_ASCII)), new InputStream() {
                    private int left = count;

                    @Override
                    public int read() {
                        return left-- > 0 ? ' ' : -1;
                    }

                    @Override
                    public int read(byte[] buffer, int offset, int length) {
                        if (left <= 0) {
                            return -1;
                        }
                        int n = Math.min(left, length);
                        Arrays.fill(buffer, offset, offset + n, (byte) ' ');
                        left -= n;
                        return n;
                    }
                });
    }
}
