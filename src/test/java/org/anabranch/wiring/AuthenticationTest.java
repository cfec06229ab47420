package org.anabranch.wiring;

import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;
import static com.github.tomakehurst.wiremock.client.WireMock.containing;
import static com.github.tomakehurst.wiremock.client.WireMock.get;
import static com.github.tomakehurst.wiremock.client.WireMock.post;
import static com.github.tomakehurst.wiremock.client.WireMock.urlPathEqualTo;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.github.tomakehurst.wiremock.WireMockServer;
import com.github.tomakehurst.wiremock.http.Fault;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.QuarkusTestProfile;
import io.quarkus.test.junit.TestProfile;
import io.quarkus.test.oidc.server.OidcWireMock;
import io.quarkus.test.oidc.server.OidcWiremockTestResource;
import io.smallrye.jwt.build.Jwt;
import io.smallrye.jwt.build.JwtClaimsBuilder;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.security.interfaces.RSAPublicKey;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The service as it asks for tokens: which it takes, what it learns from them, and what it answers to everything else. */
@QuarkusTest
@TestProfile(AuthenticationTest.Profile.class)
@QuarkusTestResource(value = OidcWiremockTestResource.class, restrictToAnnotatedClass = true)
class AuthenticationTest {

    private static final String ISSUER = "https://server.example.com";
    private static final String KEYS = "/auth/realms/quarkus/protocol/openid-connect/certs";
    private static final String INTROSPECTION = "/auth/realms/quarkus/protocol/openid-connect/token/introspect";
    private static final String NO_ANCESTOR = "2e1cfa82b035c26cbbbdae632cea070514eb8b773f616aaeaf668e2f0be8f10d";
    private static final String BODY =
            "{\"commitMeta\":{\"message\":\"a table\"},\"operations\":[{\"type\":\"PUT\",\"key\":"
                    + "{\"elements\":[\"t%s\"]},\"content\":{\"type\":\"ICEBERG_TABLE\",\"metadataLocation\":\"s3://lake/t\","
                    + "\"snapshotId\":1,\"schemaId\":0,\"specId\":0,\"sortOrderId\":0}}]}";

    /** A provider whose opaque tokens count too. */
    public static final class Profile implements QuarkusTestProfile {

        @Override
        public Map<String, String> getConfigOverrides() {
            return Map.of(
                    "anabranch.authentication.type", "oidc",
                    "anabranch.authentication.oidc.provider", "${keycloak.url}/realms/quarkus",
                    "anabranch.authentication.oidc.audience", "anabranch,lake",
                    "anabranch.authentication.oidc.client-id", "catalog",
                    "anabranch.authentication.oidc.client-secret", "swordfish");
        }
    }

    private final HttpClient http = HttpClient.newHttpClient();

    @OidcWireMock
    WireMockServer provider;

    @TestHTTPResource("/")
    URI root;

    @TestHTTPResource(value = "", management = true)
    URI management;

    private String kid;
    private KeyPair key;

    /** Every test has a provider with one new key, so that none finds what another one left. */
    @BeforeEach
    void issueKey() throws NoSuchAlgorithmException {
        kid = UUID.randomUUID().toString();
        key = newKey();
        publish(kid, key);
        provider.stubFor(post(urlPathEqualTo(INTROSPECTION))
                .atPriority(10)
                .willReturn(aResponse()
                        .withHeader("Content-Type", "application/json")
                        .withBody("{\"active\":false}")));
    }

    @AfterEach
    void answerAgain() {
        publish(kid, key);
    }

    private static KeyPair newKey() throws NoSuchAlgorithmException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
        generator.initialize(2048);
        return generator.generateKeyPair();
    }

    private void publish(String kid, KeyPair key) {
        RSAPublicKey published = (RSAPublicKey) key.getPublic();
        provider.stubFor(get(urlPathEqualTo(KEYS))
                .willReturn(aResponse()
                        .withHeader("Content-Type", "application/json")
                        .withBody(
                                "{\"keys\":[{\"kid\":\"%s\",\"kty\":\"RSA\",\"use\":\"sig\",\"alg\":\"RS256\",\"n\":\"%s\",\"e\":\"AQAB\"}]}"
                                        .formatted(
                                                kid,
                                                base64(published.getModulus().toByteArray())))));
    }

    private static String base64(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    /** A token as the provider issues them, for the caller {@code etl}. */
    private static JwtClaimsBuilder claims() {
        return Jwt.issuer(ISSUER)
                .audience("anabranch")
                .subject("7d2f")
                .preferredUserName("etl")
                .issuedAt(Instant.now().minus(Duration.ofMinutes(1)))
                .expiresAt(Instant.now().plus(Duration.ofMinutes(5)));
    }

    private String sign(JwtClaimsBuilder claims) {
        return claims.jws().keyId(kid).sign(key.getPrivate());
    }

    private HttpResponse<String> send(String method, String path, String body, String... headers) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(root.resolve(path))
                .timeout(Duration.ofSeconds(30))
                .method(method, BodyPublishers.ofString(body));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return http.send(request.build(), BodyHandlers.ofString());
    }

    private HttpResponse<String> config(String token) throws Exception {
        return send("GET", "/api/v2/config", "", "Authorization", "Bearer " + token);
    }

    private HttpResponse<String> commit(String token, String table, String... headers) throws Exception {
        String[] all = Stream.concat(
                        Stream.of(headers),
                        Stream.of("Content-Type", "application/json", "Authorization", "Bearer " + token))
                .toArray(String[]::new);
        return send("POST", "/api/v2/trees/main@" + NO_ANCESTOR + "/history/commit", BODY.formatted(table), all);
    }

    private static JsonNode json(HttpResponse<String> response) throws IOException {
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        return new ObjectMapper().readTree(response.body());
    }

    private static void assertRefused(HttpResponse<String> response) {
        assertThat(response.statusCode()).as(response.body()).isEqualTo(401);
        assertThat(response.headers().allValues("WWW-Authenticate")).containsExactly("Bearer");
        assertThat(response.body()).isEmpty();
    }

    private String committerOfHead(String token) throws Exception {
        return json(send("GET", "/api/v2/trees/main/history?max-records=1", "", "Authorization", "Bearer " + token))
                .at("/logEntries/0/commitMeta/committer")
                .asText();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET /api/v2/config",
                "GET /api/v2/trees",
                "GET /api/v2/trees/main/entries",
                "POST /api/v2/trees/main/history/commit",
                "DELETE /api/v2/trees/main",
                "GET /api/ext/access",
                "GET /api/v2/there-is-nothing-here",
                "GET /",
                "GET /q/metrics",
                "GET /q/openapi/../../api/v2/config",
                "GET //api/v2/config",
                "GET /q/swagger-ui/..%2f..%2fapi/v2/config"
            })
    void withoutATokenNothingIsAnswered(String request) throws Exception {
        String[] methodAndPath = request.split(" ");
        HttpRequest sent = HttpRequest.newBuilder(URI.create("http://" + root.getAuthority() + methodAndPath[1]))
                .method(methodAndPath[0], BodyPublishers.ofString(methodAndPath[0].equals("POST") ? "{}" : ""))
                .build();

        HttpResponse<String> answer = http.send(sent, BodyHandlers.ofString());

        if (methodAndPath[1].startsWith("/q/swagger-ui/")) {
            assertThat(answer.statusCode()).isEqualTo(404);
        } else {
            assertRefused(answer);
        }
    }

    @Test
    void theDescriptionAndTheHealthAreForEverybody() throws Exception {
        assertThat(send("GET", "/q/openapi", "").statusCode()).isEqualTo(200);
        assertThat(send("GET", "/q/swagger-ui/", "").statusCode()).isEqualTo(200);
        HttpRequest health =
                HttpRequest.newBuilder(management.resolve("/q/health/ready")).build();
        assertThat(http.send(health, BodyHandlers.ofString()).statusCode()).isEqualTo(200);
    }

    @Test
    void theTokenNamesTheCommitter() throws Exception {
        String token = sign(claims());

        assertThat(config(token).statusCode()).isEqualTo(200);
        json(commit(token, "named"));
        assertThat(committerOfHead(token)).isEqualTo("etl");
        String withoutName = sign(Jwt.issuer(ISSUER)
                .audience("lake")
                .subject("7d2f")
                .expiresAt(Instant.now().plusSeconds(60)));
        json(commit(withoutName, "by-subject"));
        assertThat(committerOfHead(withoutName)).isEqualTo("7d2f");
    }

    static Stream<Arguments> unusable() {
        return Stream.<Map.Entry<String, UnaryOperator<JwtClaimsBuilder>>>of(
                        Map.entry(
                                "expired",
                                claims -> claims.expiresAt(Instant.now().minusSeconds(30))),
                        Map.entry("without an end", claims -> claims.expiresAt(0)),
                        Map.entry("for others", claims -> claims.audience(Set.of("account", "anabranch2"))),
                        Map.entry("for nobody", claims -> claims.audience(Set.of())),
                        Map.entry("of another issuer", claims -> claims.issuer(ISSUER + "/")),
                        Map.entry(
                                "not valid yet",
                                claims -> claims.claim(
                                        "nbf", Instant.now().plusSeconds(60).getEpochSecond())),
                        Map.entry("with an empty name", claims -> claims.preferredUserName("")),
                        Map.entry("with a name of two lines", claims -> claims.preferredUserName("etl\nroot")),
                        Map.entry("with an endless name", claims -> claims.preferredUserName("e".repeat(501))))
                .map(each -> Arguments.argumentSet(each.getKey(), each.getValue()));
    }

    @ParameterizedTest
    @MethodSource
    void unusable(UnaryOperator<JwtClaimsBuilder> change) throws Exception {
        assertRefused(config(sign(change.apply(claims()))));
    }

    @Test
    void clocksMayDifferALittle() throws Exception {
        assertThat(config(sign(claims().expiresAt(Instant.now().minusSeconds(3))))
                        .statusCode())
                .isEqualTo(200);
    }

    @Test
    void signaturesOfOthersDoNotCount() throws Exception {
        String good = sign(claims());
        String[] parts = good.split("\\.");
        String header = base64("{\"alg\":\"none\"}".getBytes(StandardCharsets.UTF_8));
        String symmetric = claims().jws()
                .keyId(kid)
                .signWithSecret(base64(key.getPublic().getEncoded()).substring(0, 64));

        assertRefused(config(claims().jws().keyId(kid).sign(newKey().getPrivate())));
        assertRefused(config(claims().jws().keyId("unknown").sign(newKey().getPrivate())));
        assertRefused(config(header + "." + parts[1] + "."));
        assertRefused(config(header + "." + parts[1] + "." + parts[2]));
        assertRefused(config(symmetric));
        assertRefused(config(
                parts[0] + "." + base64("{\"sub\":\"root\"}".getBytes(StandardCharsets.UTF_8)) + "." + parts[2]));
        assertThat(config(good).statusCode()).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Bearer",
                "Bearer ",
                "Bearer .",
                "Bearer ..",
                "Bearer a.b.c",
                "Bearer e30.e30.e30",
                "Basic YTpi",
                "x"
            })
    void garbageIsNoToken(String header) throws Exception {
        assertRefused(send("GET", "/api/v2/config", "", "Authorization", header));
    }

    @Test
    void aReceiptIsItsCallersOwn() throws Exception {
        String etl = sign(claims());
        String bi = sign(claims().preferredUserName("bi"));
        json(commit(etl, "receipt", "Idempotency-Key", "k-1"));

        JsonNode repeated = json(commit(etl, "receipt", "Idempotency-Key", "k-1"));
        HttpResponse<String> ofAnother = commit(bi, "receipt", "Idempotency-Key", "k-1");

        assertThat(repeated.at("/targetBranch/hash").asText()).isNotEmpty();
        assertThat(ofAnother.statusCode())
                .as("to another caller it is a new commit of a key that is there")
                .isEqualTo(409);
    }

    @Test
    void keysAreRotatedWhileTheServiceRuns() throws Exception {
        String old = sign(claims());
        assertThat(config(old).statusCode()).isEqualTo(200);

        for (int rotation = 1; rotation <= 3; rotation++) {
            issueKey();
            assertThat(config(sign(claims())).statusCode())
                    .as("rotation %d", rotation)
                    .isEqualTo(200);
        }
    }

    @Test
    void aSilentProviderIsNoFaultOfTheToken() throws Exception {
        String known = sign(claims());
        assertThat(config(known).statusCode()).isEqualTo(200);
        issueKey();
        String unseen = sign(claims());
        provider.stubFor(get(urlPathEqualTo(KEYS)).willReturn(aResponse().withFault(Fault.CONNECTION_RESET_BY_PEER)));

        assertThat(config(known).statusCode()).as("judged by the key at hand").isEqualTo(200);
        HttpResponse<String> unjudged = config(unseen);
        assertThat(unjudged.statusCode()).isEqualTo(503);
        assertThat(unjudged.headers().firstValue("Retry-After")).isPresent();
        assertThat(unjudged.body()).contains("the provider that issues tokens does not answer");
        provider.stubFor(get(urlPathEqualTo(KEYS)).willReturn(aResponse().withStatus(500)));
        assertThat(config(unseen).statusCode()).isEqualTo(503);
        assertRefused(send("GET", "/api/v2/config", ""));

        publish(kid, key);
        assertThat(config(unseen).statusCode()).isEqualTo(200);
    }

    private void introspect(String token, String answer) {
        provider.stubFor(post(urlPathEqualTo(INTROSPECTION))
                .withRequestBody(containing("token=" + token + "&"))
                .willReturn(aResponse()
                        .withHeader("Content-Type", "application/json")
                        .withBody(answer)));
    }

    @Test
    void opaqueTokensAreTheProvidersToJudge() throws Exception {
        introspect("good", "{\"active\":true,\"username\":\"etl\",\"aud\":\"lake\"}");
        introspect("listed", "{\"active\":true,\"sub\":\"7d2f\",\"aud\":[\"account\",\"anabranch\"]}");
        introspect("ended", "{\"active\":false}");
        introspect("old", "{\"active\":true,\"username\":\"etl\",\"aud\":\"lake\",\"exp\":1}");
        introspect("others", "{\"active\":true,\"username\":\"etl\",\"aud\":\"account\"}");
        introspect("unaddressed", "{\"active\":true,\"username\":\"etl\"}");
        introspect("nameless", "{\"active\":true,\"aud\":\"lake\"}");
        provider.stubFor(post(urlPathEqualTo(INTROSPECTION))
                .withRequestBody(containing("token=silent&"))
                .willReturn(aResponse().withFault(Fault.CONNECTION_RESET_BY_PEER)));

        json(commit("good", "opaque"));
        assertThat(committerOfHead("good")).isEqualTo("etl");
        assertThat(config("listed").statusCode()).isEqualTo(200);
        for (String refused : Set.of("ended", "old", "others", "unaddressed", "nameless")) {
            assertRefused(config(refused));
        }
        assertThat(config("silent").statusCode()).isEqualTo(503);
    }
}
