package org.anabranch.wiring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.QuarkusTestProfile;
import io.quarkus.test.junit.TestProfile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Whom the trail takes for the client behind a proxy: a service that trusts the proxy at {@value #PROXY}, and is called from there and
 * from elsewhere on this machine.
 */
@QuarkusTest
@TestProfile(TrustedProxiesTest.Profile.class)
class TrustedProxiesTest {

    private static final String PROXY = "127.0.0.2";
    private static final String ELSEWHERE = "127.0.0.1";
    private static final Path FOLDER = Path.of("target", "trusted-proxies-test").toAbsolutePath();
    private static final Path FILE = FOLDER.resolve("audit.jsonl");

    public static final class Profile implements QuarkusTestProfile {

        @Override
        public Map<String, String> getConfigOverrides() {
            try {
                Files.createDirectories(FOLDER);
                Files.deleteIfExists(FILE);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            return Map.of(
                    "quarkus.http.proxy.proxy-address-forwarding",
                    "true",
                    "quarkus.http.proxy.trusted-proxies",
                    PROXY,
                    "anabranch.audit.mode",
                    "log",
                    "anabranch.audit.file",
                    FILE.toString());
        }
    }

    @TestHTTPResource("/api/v2/")
    URI api;

    @TestHTTPResource(value = "", management = true)
    URI management;

    /** On Linux all of 127.0.0.0/8 is this machine. */
    @BeforeEach
    void needsASecondAddress() {
        boolean isThere;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName(PROXY))) {
            isThere = socket.isBound();
        } catch (IOException e) {
            isThere = false;
        }
        assumeThat(isThere).as(PROXY + " is an address of this machine").isTrue();
    }

    /** Sends a request from an address of this machine, and returns what was recorded of it. */
    private static JsonNode recorded(String from, HttpRequest.Builder request, int status, String... headers)
            throws Exception {
        int before = Files.readAllLines(FILE).size();
        if (headers.length > 0) {
            request.headers(headers);
        }
        HttpResponse<String> answer = send(from, request);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
        List<String> lines = Files.readAllLines(FILE);
        assertThat(lines).hasSize(before + 1);
        return new ObjectMapper().readTree(lines.getLast());
    }

    private static HttpResponse<String> send(String from, HttpRequest.Builder request) throws Exception {
        try (HttpClient http = HttpClient.newBuilder()
                .localAddress(InetAddress.getByName(from))
                .build()) {
            return http.send(request.timeout(Duration.ofSeconds(30)).build(), BodyHandlers.ofString());
        }
    }

    /** A write, which there is a record of. */
    private HttpRequest.Builder write() {
        return HttpRequest.newBuilder(api.resolve("trees/absent@" + "ab".repeat(32)))
                .method("DELETE", BodyPublishers.noBody());
    }

    private static void assertCalledBy(String client, String connection, JsonNode entry) {
        assertThat(entry.path("client").asText()).isEqualTo(client);
        assertThat(entry.path("connection").asText()).isEqualTo(connection);
    }

    @Test
    void aProxyThatIsTrustedSaysWhoCalls() throws Exception {
        assertCalledBy("10.9.8.7", PROXY, recorded(PROXY, write(), 404, "X-Forwarded-For", "10.9.8.7"));
        assertCalledBy("2001:db8:0:0:0:0:0:7", PROXY, recorded(PROXY, write(), 404, "X-Forwarded-For", "2001:db8::7"));
        assertCalledBy(
                "10.9.8.7",
                PROXY,
                recorded(PROXY, write(), 404, "X-Forwarded-For", "10.9.8.7", "X-Forwarded-Proto", "https"));
    }

    @Test
    void nobodyElseDoes() throws Exception {
        assertCalledBy(
                ELSEWHERE,
                "",
                recorded(
                        ELSEWHERE,
                        write(),
                        404,
                        "X-Forwarded-For",
                        "10.9.8.7",
                        "Forwarded",
                        "for=10.9.8.7",
                        "X-Forwarded-Trusted-Proxy",
                        "true"));
    }

    @Test
    void aProxyThatSaysNothingIsTheClient() throws Exception {
        assertCalledBy(PROXY, "", recorded(PROXY, write(), 404));
    }

    /** This header is for proxies that are told of by {@code allow-forwarded}. */
    @Test
    void oneHeaderCounts() throws Exception {
        assertCalledBy(PROXY, "", recorded(PROXY, write(), 404, "Forwarded", "for=10.9.8.7"));
    }

    /** So a proxy must say this itself, and not add to what its client says. */
    @Test
    void ofSeveralAddressesTheFirstCounts() throws Exception {
        assertCalledBy("10.6.6.6", PROXY, recorded(PROXY, write(), 404, "X-Forwarded-For", "10.6.6.6, 10.9.8.7"));
        assertCalledBy(
                "10.6.6.6",
                PROXY,
                recorded(PROXY, write(), 404, "X-Forwarded-For", "10.6.6.6", "X-Forwarded-For", "10.9.8.7"));
    }

    @Test
    void whatIsNoAddressStaysInItsField() throws Exception {
        JsonNode entry = recorded(PROXY, write(), 404, "X-Forwarded-For", "x\"}{\"user\"" + "y".repeat(5_000));
        assertThat(entry.get("client").asText()).startsWith("x\"}{\"user\"").hasSizeLessThan(1_100);
        assertThat(entry.has("user")).isFalse();
    }

    @Test
    void theSchemeOfTheClientChangesNoAnswer() throws Exception {
        String named = "trees/main/entries?max-records=1";
        HttpResponse<String> plain = send(PROXY, HttpRequest.newBuilder(api.resolve(named)));
        HttpResponse<String> encrypted = send(
                PROXY,
                HttpRequest.newBuilder(api.resolve(named))
                        .headers("X-Forwarded-Proto", "https", "X-Forwarded-For", "10.9.8.7"));
        assertThat(plain.statusCode()).isEqualTo(200);
        assertThat(encrypted.statusCode()).isEqualTo(200);
        assertThat(encrypted.body()).isEqualTo(plain.body());
        assertThat(encrypted.headers().map().keySet())
                .isEqualTo(plain.headers().map().keySet());
    }

    @Test
    void theManagementPortBelievesNobody() throws Exception {
        HttpRequest.Builder end =
                HttpRequest.newBuilder(management.resolve("/admin/check")).DELETE();
        assertCalledBy(PROXY, "", recorded(PROXY, end, 202, "X-Forwarded-For", "10.9.8.7"));
    }

    /** Where nobody is asked, these requests are refused before anything else. */
    @Test
    void aPageOfAnotherSiteIsADenial() throws Exception {
        JsonNode onTheApi = recorded(ELSEWHERE, write(), 403, "Origin", "https://evil.example");
        JsonNode onManagement = recorded(
                ELSEWHERE,
                HttpRequest.newBuilder(management.resolve("/admin/sweep")).POST(BodyPublishers.noBody()),
                403,
                "Origin",
                "https://evil.example");
        for (JsonNode denial : List.of(onTheApi, onManagement)) {
            assertThat(denial.get("event").asText()).isEqualTo("denial");
            assertThat(denial.get("outcome").asText()).isEqualTo("denied");
            assertThat(denial.get("detail").asText()).contains("https://evil.example");
            assertThat(denial.get("requestId").asText()).isNotEmpty();
            assertCalledBy(ELSEWHERE, "", denial);
        }
        assertThat(onManagement.get("operation").asText()).isEqualTo("POST /admin/sweep");
    }
}
