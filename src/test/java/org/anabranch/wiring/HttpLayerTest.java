package org.anabranch.wiring;

import static org.assertj.core.api.Assertions.assertThat;

import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import java.net.URI;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Requests that are none, or try to be two: each is refused, and no answer shows anything of the inside. */
@QuarkusTest
@Timeout(60)
class HttpLayerTest {

    /** Instead of a status, that the connection ends without an answer. */
    private static final int ENDED = 0;

    private static final String HOST = "Host: localhost\r\n";
    private static final String COMMIT =
            "POST /api/v2/trees/main/history/commit HTTP/1.1\r\n" + HOST + "Content-Type: application/json\r\n";

    @TestHTTPResource("/")
    URI root;

    static Stream<Arguments> refused() {
        return Stream.of(
                of("an endless path", 414, get("/" + "a".repeat(65_600))),
                of("an endless query", 414, get("/api/v2/trees?filter=" + "a".repeat(65_600))),
                of("an endless header", 431, get("/api/v2/config", "X: " + "a".repeat(30_000))),
                of("headers without end", 431, get("/api/v2/config", "X: a\r\n".repeat(5_200) + "X: a")),
                of("a header with a space in its name", 400, get("/api/v2/config", "X Y: a")),
                of("a header with a zero", 400, get("/api/v2/config", "X: a\0b")),
                of("a header with a bare line feed in its value", 400, get("/api/v2/config", "X: a\rb")),
                of("no request line", 400, "GARBAGE\r\n\r\n"),
                of("a version that is none", 400, "GET /api/v2/config HTTP/9\r\n" + HOST + "\r\n"),
                of("a length that is none", 400, COMMIT + "Content-Length: x\r\n\r\n"),
                of("a negative length", 400, COMMIT + "Content-Length: -1\r\n\r\n"),
                of("two lengths", 400, COMMIT + "Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}"),
                of(
                        "a length and chunks",
                        400,
                        COMMIT + "Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
                of("a chunk of no size", ENDED, COMMIT + "Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n"),
                of("an unknown transfer", 400, COMMIT + "Transfer-Encoding: gzip\r\n\r\n{}"),
                of("a bad escape in the path", 400, get("/api/v2/trees/%zz")),
                of("half an escape in the query", 400, get("/api/v2/trees?filter=%e")),
                of("a path that climbs", 404, get("/api/v2/../../etc/passwd")),
                of("a path that climbs in escapes", 400, get("/api/v2/trees/..%2f..%2fetc%2fpasswd/entries")),
                of("pages that climb", 404, get("/q/swagger-ui/..%2f..%2f..%2fetc/passwd")),
                of("pages that climb with backslashes", 404, get("/q/swagger-ui/..%5c..%5capplication.properties")),
                of("the service's own settings", 404, get("/application.properties")),
                of("a method that is unknown", 405, "BREW /api/v2/config HTTP/1.1\r\n" + HOST + END),
                of(
                        "TRACE, which would send everything back",
                        405,
                        "TRACE /api/v2/config HTTP/1.1\r\n" + HOST + "X: secret\r\n" + END),
                of("a media type that is refused", 406, get("/api/v2/config", "Accept: text/html")),
                of(
                        "a media type that is none",
                        415,
                        COMMIT.replace("application/json", "a;b;c") + "Content-Length: 2\r\n" + END + "{}"));
    }

    private static final String END = "Connection: close\r\n\r\n";

    private static Arguments of(String name, int status, String request) {
        return Arguments.argumentSet(name, status, request);
    }

    private static String get(String path, String... headers) {
        return "GET " + path + " HTTP/1.1\r\n" + HOST + String.join("\r\n", headers)
                + (headers.length > 0 ? "\r\n" : "") + END;
    }

    @ParameterizedTest
    @MethodSource
    void refused(int status, String request) throws Exception {
        try (RawExchange exchange = new RawExchange(root)) {
            exchange.send(request);
            String answer = exchange.untilEnd();

            assertThat(answer).doesNotContain("secret", "root:");
            if (status == ENDED) {
                assertThat(answer).isEmpty();
            } else {
                assertThat(answer).matches("(?s)HTTP/1\\.[01] " + status + " .*");
            }
            assertThat(answer)
                    .doesNotContainPattern(
                            "(?i)exception|\\bat [a-z]+\\.|org\\.anabranch|io\\.(quarkus|vertx|netty)|java\\.|resteasy|SELECT ");
        }
    }

    /** What a client puts into names and values comes back inside JSON or not at all, never as a header of ours. */
    @Test
    void lineEndsInValuesMakeNoHeaders() throws Exception {
        for (String path : new String[] {
            "/api/v2/trees/a%0d%0aForged:%20yes",
            "/api/v2/trees/main/contents/a%0d%0aForged:%20yes",
            "/api/v2/trees/main/entries?filter=%0d%0aForged:%20yes",
            "/api/v2/trees/main/entries?page-token=a%0d%0aForged:%20yes",
            "/api/v2/trees?name=a%0d%0aForged:%20yes",
            "/%0d%0aForged:%20yes"
        }) {
            try (RawExchange exchange = new RawExchange(root)) {
                exchange.send(get(path));
                assertThat(exchange.untilEnd()).as(path).startsWith("HTTP/1.1 ").doesNotContain("\nForged");
            }
        }
    }

    /** A second request that hides behind the first is a request of its own, or the connection ends. */
    @Test
    void whatFollowsARefusedBodyIsNoRequest() throws Exception {
        String hidden = "DELETE /api/v2/trees/main HTTP/1.1\r\n" + HOST + "\r\n";
        try (RawExchange exchange = new RawExchange(root)) {
            exchange.send(COMMIT + "Content-Length: " + hidden.length() + "\r\n" + END + hidden);
            String answer = exchange.untilEnd();

            assertThat(answer).startsWith("HTTP/1.1 400 ");
            assertThat(answer.split("HTTP/1\\.1 ", -1)).as("one answer").hasSize(2);
        }
    }
}
