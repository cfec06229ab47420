package org.anabranch.wiring;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.QuarkusTestProfile;
import io.quarkus.test.junit.TestProfile;
import jakarta.inject.Inject;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Clients choose paths, and not labels of metrics. On a service that has room for no body, so that each is answered 503. */
@QuarkusTest
@TestProfile(RequestLabelsTest.Profile.class)
class RequestLabelsTest {

    /** The smallest room for bodies. */
    public static final class Profile implements QuarkusTestProfile {

        @Override
        public Map<String, String> getConfigOverrides() {
            return Map.of("anabranch.limits.request-body", "1K", "anabranch.limits.request-bodies", "1K");
        }
    }

    private static final Duration PATIENCE = Duration.ofSeconds(20);

    @TestHTTPResource("/")
    URI root;

    @Inject
    MeterRegistry meters;

    private final HttpClient http = HttpClient.newHttpClient();

    private int send(String method, String path, String body) throws Exception {
        return http.send(
                        HttpRequest.newBuilder(root.resolve(path))
                                .method(method, BodyPublishers.ofString(body))
                                .header("Content-Type", "application/json")
                                .build(),
                        BodyHandlers.discarding())
                .statusCode();
    }

    private Set<String> paths(String status) {
        return meters.find("http.server.requests").timers().stream()
                .map(Timer::getId)
                .filter(id -> status.equals(id.getTag("status")))
                .map(id -> String.valueOf(id.getTag("uri")))
                .collect(Collectors.toSet());
    }

    /** A request is counted when its answer was sent, which its client may see earlier. */
    private Set<String> awaitPaths(String status, int atLeast) {
        long start = System.nanoTime();
        while (paths(status).size() < atLeast) {
            assertThat(Duration.ofNanos(System.nanoTime() - start))
                    .as("waiting until requests with %s are counted, so far %s", status, paths(status))
                    .isLessThan(PATIENCE);
        }
        return paths(status);
    }

    @Test
    void requestsAreLabelledByTemplates() throws Exception {
        for (String path : new String[] {
            "/api/v2/config",
            "/api/v2/trees",
            "/api/v2/trees/main",
            "/api/v2/trees/main/entries",
            "/api/v2/trees/main/diff/main",
            "/api/ext/v1/trees/main/count",
            "/api/ext/v1/access"
        }) {
            assertThat(send("GET", path, "")).as(path).isEqualTo(200);
        }

        assertThat(awaitPaths("200", 7))
                .contains(
                        "/api/v2/config",
                        "/api/v2/trees",
                        "/api/v2/trees/{ref}",
                        "/api/v2/trees/{ref}/entries",
                        "/api/v2/trees/{from-ref}/diff/{to-ref}",
                        "/api/ext/v1/trees/{ref}/count",
                        "/api/ext/v1/access");
    }

    @Test
    void whatIsRefusedBeforeItsPathIsKnownHasNoLabelOfItsOwn() throws Exception {
        assertThat(send("POST", "/api/v2/trees/chosen/history", "{}")).isEqualTo(503);
        assertThat(send("POST", "/chosen/%7Bref%7D", "{}")).isEqualTo(503);

        assertThat(awaitPaths("503", 1)).containsExactly("UNKNOWN");
    }
}
