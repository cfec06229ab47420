package org.anabranch.wiring;

import static org.assertj.core.api.Assertions.assertThat;

import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import java.net.URI;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A service that asks nobody, and the pages of other sites that the same machine's browser shows. */
@QuarkusTest
class ForeignPagesTest {

    private static final String NO_ANCESTOR = "2e1cfa82b035c26cbbbdae632cea070514eb8b773f616aaeaf668e2f0be8f10d";

    @TestHTTPResource("/")
    URI root;

    @TestHTTPResource(value = "", management = true)
    URI management;

    private static String answer(URI port, String request, String host, String... headers) throws Exception {
        try (RawExchange exchange = new RawExchange(port)) {
            exchange.send(request + " HTTP/1.1\r\nHost: " + host + "\r\n" + String.join("", headers)
                    + "Connection: close\r\n\r\n");
            return exchange.untilEnd();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"localhost", "LOCALHOST:19120", "127.0.0.1:8080", "127.1.2.3", "[::1]:19120"})
    void whoCallsTheMachineItselfIsAnswered(String host) throws Exception {
        assertThat(answer(root, "GET /api/v2/config", host)).startsWith("HTTP/1.1 200 ");
        assertThat(answer(root, "GET /api/v2/config", host, "Origin: http://" + host + "\r\n"))
                .as("a page of its own")
                .startsWith("HTTP/1.1 200 ");
        assertThat(answer(management, "GET /q/health/live", host)).startsWith("HTTP/1.1 200 ");
    }

    /** The name of such a page was made to lead here, so that its site and this service are one to the browser. */
    @ParameterizedTest
    @ValueSource(strings = {"evil.example", "evil.example:19120", "127.0.0.1.evil.example", "localhost.evil.example"})
    void whoCallsAnotherNameIsNot(String host) throws Exception {
        assertThat(answer(root, "GET /api/v2/config", host))
                .startsWith("HTTP/1.1 403 ")
                .contains("Host: '" + host + "'")
                .contains("anabranch.authentication.open-to-network=true");
        assertThat(answer(management, "GET /q/health/live", host)).startsWith("HTTP/1.1 403 ");
    }

    /** A browser sends such a request without asking, and names where it comes from. */
    @ParameterizedTest
    @ValueSource(strings = {"https://evil.example", "null", "http://localhost:1", "http://127.0.0.1.evil.example"})
    void pagesOfOtherSitesChangeNothing(String origin) throws Exception {
        String commit =
                "{\"commitMeta\":{\"message\":\"forged\"},\"operations\":[{\"type\":\"UNCHANGED\",\"key\":{\"elements\":[\"a\"]}}]}";
        try (RawExchange exchange = new RawExchange(root)) {
            exchange.send("POST /api/v2/trees/main@" + NO_ANCESTOR + "/history/commit HTTP/1.1\r\nHost: localhost:"
                    + root.getPort()
                    + "\r\nOrigin: " + origin + "\r\nContent-Length: " + commit.length()
                    + "\r\nConnection: close\r\n\r\n"
                    + commit);
            assertThat(exchange.untilEnd()).startsWith("HTTP/1.1 403 ").contains("Origin: '" + origin + "'");
        }
        assertThat(answer(root, "GET /api/v2/trees/main/history", "localhost")).doesNotContain("forged");
    }

    @Test
    void theManagementPortIsForNoPage() throws Exception {
        assertThat(answer(
                        management,
                        "POST /admin/sweep",
                        "localhost",
                        "Origin: https://evil.example\r\nContent-Length: 0\r\n"))
                .startsWith("HTTP/1.1 403 ");
        assertThat(answer(management, "GET /admin/check", "localhost", "Origin: https://evil.example\r\n"))
                .startsWith("HTTP/1.1 403 ");
        assertThat(answer(management, "GET /admin/check", "localhost"))
                .startsWith("HTTP/1.1 200 ")
                .doesNotContainIgnoringCase("access-control-allow-origin");
    }
}
