package org.anabranch.cli.stories;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
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
import java.util.concurrent.TimeUnit;
import org.anabranch.ports.FreePort;

/** A Keycloak on a free loopback port, with the realm {@code lake} and one client for each story. It ends with this JVM. For one thread. */
final class KeycloakProcess implements AutoCloseable {

    private static final Duration READY_WITHIN = Duration.ofMinutes(5);
    private static final Duration PAUSE = Duration.ofMillis(250);
    private static final String SECRET = "swordfish";
    private static final String ADMIN = "admin";

    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5)).build();
    private final Path home;
    private final Path folder;
    private final Path log;
    private final int port;
    private final int managementPort;
    private int keys = 100;
    private volatile Process process;

    /**
     * Starts it, and waits until it answers.
     *
     * @param home an unpacked distribution
     * @param folder empty, for its database and its log
     */
    KeycloakProcess(Path home, Path folder) throws IOException, InterruptedException {
        this.home = home;
        this.folder = folder;
        this.log = folder.resolve("keycloak.log");
        this.port = FreePort.choose();
        this.managementPort = FreePort.choose();
        Runtime.getRuntime().addShutdownHook(new Thread(this::stop, "stop-keycloak"));
        start();
        createRealm();
    }

    /** The issuer of its tokens. */
    URI issuer() {
        return URI.create("http://127.0.0.1:" + port + "/realms/lake");
    }

    String secret() {
        return SECRET;
    }

    void start() throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(
                home.resolve("bin").resolve("kc.sh").toString(),
                "start-dev",
                // Keycloak's tables have a column 'VALUE', a keyword of H2, which its own default URL allows as well.
                "--db-url=jdbc:h2:file:" + folder.resolve("keycloak") + ";NON_KEYWORDS=VALUE;DB_CLOSE_ON_EXIT=FALSE",
                "--http-host=127.0.0.1",
                "--http-port=" + port,
                "--http-management-port=" + managementPort,
                "--hostname-strict=false");
        builder.environment().put("KC_BOOTSTRAP_ADMIN_USERNAME", ADMIN);
        builder.environment().put("KC_BOOTSTRAP_ADMIN_PASSWORD", SECRET);
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        builder.environment().put("JAVA_OPTS_KC_HEAP", "-Xmx512m");
        process = builder.redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .start();
        long deadline = System.nanoTime() + READY_WITHIN.toNanos();
        while (!answers()) {
            if (process.waitFor(PAUSE.toMillis(), TimeUnit.MILLISECONDS) || System.nanoTime() > deadline) {
                stop();
                throw new IllegalStateException("Keycloak did not start:\n" + Files.readString(log));
            }
        }
    }

    private boolean answers() throws InterruptedException {
        try {
            return http.send(
                                    HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/realms/master"))
                                            .timeout(Duration.ofSeconds(10))
                                            .build(),
                                    BodyHandlers.discarding())
                            .statusCode()
                    == 200;
        } catch (IOException e) {
            return false;
        }
    }

    /** Ends it and the processes that its script has started; does nothing before the first start. */
    void stop() {
        if (process == null) {
            return;
        }
        List<ProcessHandle> all = new ArrayList<>(process.descendants().toList());
        all.add(process.toHandle());
        all.forEach(ProcessHandle::destroy);
        all.forEach(each -> each.onExit().join());
    }

    private void createRealm() throws IOException, InterruptedException {
        admin("POST", "/admin/realms", """
                {"realm": "lake", "enabled": true, "clients": [%s, %s, %s]}""".formatted(
                        client("etl", "anabranch", 300),
                        client("brief", "anabranch", 1),
                        client("stranger", "warehouse", 300)));
    }

    private static String client(String id, String audience, int lifeSeconds) {
        return """
                {"clientId": "%s", "secret": "%s", "serviceAccountsEnabled": true, "standardFlowEnabled": false,
                 "attributes": {"access.token.lifespan": "%d"},
                 "protocolMappers": [{"name": "audience", "protocol": "openid-connect",
                   "protocolMapper": "oidc-audience-mapper",
                   "config": {"included.custom.audience": "%s", "access.token.claim": "true"}}]}""".formatted(id, SECRET, lifeSeconds, audience);
    }

    /** A new access token of a client's service account. */
    String token(String client) throws IOException, InterruptedException {
        return token("lake", "grant_type=client_credentials&client_id=" + client + "&client_secret=" + SECRET);
    }

    private String token(String realm, String form) throws IOException, InterruptedException {
        HttpResponse<String> answer = http.send(
                HttpRequest.newBuilder(URI.create(
                                "http://127.0.0.1:" + port + "/realms/" + realm + "/protocol/openid-connect/token"))
                        .header("Content-Type", "application/x-www-form-urlencoded")
                        .POST(BodyPublishers.ofString(form))
                        .build(),
                BodyHandlers.ofString());
        JsonNode json = Http.JSON.readTree(answer.body());
        if (answer.statusCode() != 200) {
            throw new IllegalStateException("Keycloak gives no token: " + json);
        }
        return json.get("access_token").asText();
    }

    /** Makes a new key, with which all tokens are signed from now on. */
    void rotateKeys() throws IOException, InterruptedException {
        keys++;
        ObjectNode key = Http.JSON.createObjectNode();
        key.put("name", "key-" + keys);
        key.put("providerId", "rsa-generated");
        key.put("providerType", "org.keycloak.keys.KeyProvider");
        key.putObject("config").putArray("priority").add(Integer.toString(keys + 100));
        admin("POST", "/admin/realms/lake/components", key.toString());
    }

    private void admin(String method, String path, String body) throws IOException, InterruptedException {
        String token =
                token("master", "grant_type=password&client_id=admin-cli&username=" + ADMIN + "&password=" + SECRET);
        HttpResponse<String> answer = http.send(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                        .header("Authorization", "Bearer " + token)
                        .header("Content-Type", "application/json")
                        .method(method, BodyPublishers.ofString(body))
                        .build(),
                BodyHandlers.ofString());
        if (answer.statusCode() != 201) {
            throw new IllegalStateException(
                    method + " " + path + " answered " + answer.statusCode() + ": " + answer.body());
        }
    }

    @Override
    public void close() {
        stop();
        http.close();
    }
}
