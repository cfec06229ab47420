package org.anabranch.cli.stories;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.anabranch.cli.service.ServiceProcess;
import org.anabranch.database.PostgresServer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a service is told in confidence shows nowhere: not in its log, however much that says, its health or its answers. */
@Timeout(120)
class SecretsIT {

    private static final String PASSWORD = "pg-swordfish-1";
    private static final String CLIENT_SECRET = "oidc-swordfish-2";
    private static final String OPAQUE = "opaque-swordfish-3";
    private static final String[] TALKATIVE = {
        "-Dquarkus.log.min-level=DEBUG",
        "-Dquarkus.log.category.\"org.anabranch\".level=DEBUG",
        "-Dquarkus.log.category.\"io.agroal\".level=DEBUG",
        "-Dquarkus.log.category.\"org.postgresql\".level=DEBUG"
    };

    @TempDir
    private Path folder;

    @BeforeEach
    void needsAServiceOfItsOwn() {
        RunningService.assumeNoneIsGiven();
    }

    private static String[] options(String... more) {
        List<String> all = new ArrayList<>(List.of(TALKATIVE));
        all.addAll(List.of(more));
        return all.toArray(String[]::new);
    }

    private void assertNothingIsTold(String... secrets) throws Exception {
        assertThat(Files.readString(folder.resolve("service.log"))).isNotEmpty().doesNotContain(secrets);
    }

    @Test
    void ofAServiceThatRuns() throws Exception {
        PostgresServer server = PostgresServer.shared();
        try (TokenProvider provider = new TokenProvider(CLIENT_SECRET, Map.of("etl", List.of("loads")))) {
            String token = provider.token("etl");
            String signature = token.substring(token.lastIndexOf('.') + 1);
            try (ServiceProcess service = ServiceProcess.startOn(
                            List.of("--store", "postgresql", "--url", server.emptyUrl(), "--user", server.user()),
                            folder,
                            options(
                                    "-Danabranch.store.postgresql.password=" + PASSWORD,
                                    "-Danabranch.authentication.type=oidc",
                                    "-Danabranch.authentication.oidc.provider=" + provider.issuer(),
                                    "-Danabranch.authentication.oidc.audience=anabranch",
                                    "-Danabranch.authentication.oidc.client-id=catalog",
                                    "-Danabranch.authentication.oidc.client-secret=" + CLIENT_SECRET));
                    Http http = new Http(service.api())) {
                List<String> answers = new ArrayList<>();
                for (String shown : List.of(token, token + "x", OPAQUE)) {
                    for (String path :
                            List.of("/config", "/nothing", "/trees/main/entries?filter=%00&access_token=" + shown)) {
                        HttpResponse<String> answer = http.send(http.request(path)
                                .setHeader("Authorization", "Bearer " + shown)
                                .build());
                        if (!path.contains(shown)) {
                            answers.add(answer.headers().map() + answer.body());
                        }
                    }
                }
                answers.add(http.send(http.request("/trees/main/history/commit")
                                .setHeader("Authorization", "Bearer " + token)
                                .header("Content-Type", "application/json")
                                .POST(BodyPublishers.ofString("{"))
                                .build())
                        .body());
                answers.add(service.health());

                assertThat(String.join("\n", answers))
                        .contains("\"status\": \"UP\"")
                        .doesNotContain(PASSWORD, CLIENT_SECRET, OPAQUE, signature);
            }
            assertNothingIsTold(PASSWORD, CLIENT_SECRET, OPAQUE, signature);
        }
    }

    @Test
    void ofAServiceThatDoesNotStart() throws Exception {
        PostgresServer server = PostgresServer.shared();
        server.execute("DROP ROLE IF EXISTS nobody_known");
        for (String[] wrong : new String[][] {
            {"-Danabranch.store.postgresql.password-file=/nowhere"},
            {"-Danabranch.store.postgresql.passwort=" + PASSWORD},
            {"-Danabranch.authentication.oidc.client-secret=" + CLIENT_SECRET},
            {"-Danabranch.authentication.type=oidc", "-Danabranch.authentication.oidc.client-secret=" + CLIENT_SECRET},
            {"-Danabranch.store.postgresql.connections=many"}
        }) {
            List<String> options = new ArrayList<>(List.of(wrong));
            options.add("-Danabranch.store.postgresql.password=" + PASSWORD);
            assertThatThrownBy(() -> ServiceProcess.startOn(
                                    List.of(
                                            "--store",
                                            "postgresql",
                                            "--url",
                                            server.emptyUrl(),
                                            "--user",
                                            "nobody_known"),
                                    folder,
                                    options(options.toArray(String[]::new)))
                            .close())
                    .isInstanceOf(IllegalStateException.class)
                    .message()
                    .contains("ended with status")
                    .doesNotContain(PASSWORD, CLIENT_SECRET);
        }
        assertNothingIsTold(PASSWORD, CLIENT_SECRET);
    }

    /** Text of a client is part of a line of the log at most, and begins none. */
    @Test
    void noClientWritesLinesIntoTheLog() throws Exception {
        String line = "%0d%0a2026-01-01%2000:00:00,000%20ERROR%20forged";
        try (ServiceProcess service = ServiceProcess.start(folder, options("-Danabranch.log.slow-request=0S"));
                Http http = new Http(service.api())) {
            for (String path : List.of(
                    "/trees/x" + line,
                    "/trees/main/contents/x" + line,
                    "/trees/main/entries?filter=x" + line,
                    "/trees/main/entries?page-token=x" + line,
                    "/trees?type=BRANCH&name=x" + line,
                    "/x" + line)) {
                http.send(http.request(path).build());
            }
            http.send(http.request(
                            "/trees/main@2e1cfa82b035c26cbbbdae632cea070514eb8b773f616aaeaf668e2f0be8f10d/history/commit")
                    .header("Content-Type", "application/json")
                    .header("X-Request-Id", "x\t2026 ERROR forged")
                    .header("Idempotency-Key", "x 2026 ERROR forged")
                    .POST(BodyPublishers.ofString(PlainCommit.body("x\\n2026-01-01 00:00:00,000 ERROR forged")))
                    .build());
            assertThat(http.send(http.request("/config").build()).statusCode()).isEqualTo(200);

            assertThat(service.output())
                    .anyMatch(each -> each.contains("forged"))
                    .noneMatch(each -> each.startsWith("2026-01-01"));
        }
    }
}
