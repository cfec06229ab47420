package org.anabranch.cli.stories;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.anabranch.cli.service.ServiceProcess;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.projectnessie.client.NessieClientBuilder;
import org.projectnessie.client.api.NessieApiV2;
import org.projectnessie.client.rest.NessieNotAuthorizedException;
import org.projectnessie.model.Branch;
import org.projectnessie.model.CommitMeta;
import org.projectnessie.model.ContentKey;
import org.projectnessie.model.LogResponse.LogEntry;
import org.projectnessie.model.Operation.Put;

/** The service behind a real Keycloak, whose distribution {@code -Dkeycloak.home} names; {@code .ci/keycloak} runs it. */
@Timeout(600)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class KeycloakIT {

    @TempDir
    private static Path folder;

    private static KeycloakProcess keycloak;
    private static ServiceProcess service;

    @BeforeAll
    static void startBoth() throws Exception {
        String home = System.getProperty("keycloak.home", "");
        assumeFalse(home.isEmpty(), "these tests need a Keycloak, and -Dkeycloak.home names none");
        Files.createDirectory(folder.resolve("service"));
        keycloak = new KeycloakProcess(Path.of(home), Files.createDirectory(folder.resolve("keycloak")));
        service = ServiceProcess.start(
                folder.resolve("service"),
                "-Danabranch.authentication.type=oidc",
                "-Danabranch.authentication.oidc.provider=" + keycloak.issuer(),
                "-Danabranch.authentication.oidc.audience=anabranch",
                "-Danabranch.authentication.oidc.clock-skew=0S");
    }

    @AfterAll
    static void stopBoth() {
        if (service != null) {
            service.close();
        }
        if (keycloak != null) {
            keycloak.close();
        }
    }

    private static NessieApiV2 client(String id) {
        Map<String, String> options = Map.of(
                "nessie.authentication.type",
                "OAUTH2",
                "nessie.authentication.oauth2.issuer-url",
                keycloak.issuer().toString(),
                "nessie.authentication.oauth2.grant-type",
                "client_credentials",
                "nessie.authentication.oauth2.client-id",
                id,
                "nessie.authentication.oauth2.client-secret",
                keycloak.secret());
        return NessieClientBuilder.createClientBuilderFromSystemSettings()
                .fromConfig(options::get)
                .withUri(service.api())
                .build(NessieApiV2.class);
    }

    private static HttpResponse<String> config(String token) throws Exception {
        try (Http http = new Http(service.api())) {
            HttpRequest request = http.request("/config")
                    .setHeader("Authorization", "Bearer " + token)
                    .build();
            return http.send(request);
        }
    }

    @Test
    @Order(1)
    void theClientsOwnTokensNameTheCommitter() throws Exception {
        try (NessieApiV2 api = client("etl")) {
            Branch main = api.getDefaultBranch();

            api.commitMultipleOperations()
                    .branch(main)
                    .commitMeta(CommitMeta.fromMessage("as a job"))
                    .operations(List.of(Put.of(ContentKey.of("orders"), CatalogClient.table(1))))
                    .commit();

            assertThat(api.getCommitLog().refName("main").stream()
                            .map(LogEntry::getCommitMeta)
                            .map(CommitMeta::getCommitter))
                    .containsExactly("service-account-etl");
        }
    }

    @Test
    @Order(1)
    void tokensForOthersAreRefused() throws Exception {
        assertThat(config(keycloak.token("stranger")).statusCode()).isEqualTo(401);
        try (NessieApiV2 api = client("stranger")) {
            assertThatThrownBy(api::getConfig).isInstanceOf(NessieNotAuthorizedException.class);
        }
    }

    @Test
    @Order(1)
    void aChangedTokenIsRefused() throws Exception {
        String[] ofEtl = keycloak.token("etl").split("\\.");
        String[] ofStranger = keycloak.token("stranger").split("\\.");

        assertThat(config(String.join(".", ofStranger[0], ofEtl[1], ofStranger[2]))
                        .statusCode())
                .isEqualTo(401);
    }

    /** Asks with a token of one second until it has ended; the test's time is the limit. */
    @Test
    @Order(1)
    void anExpiredTokenIsRefused() throws Exception {
        String brief = keycloak.token("brief");
        HttpResponse<String> answer = config(brief);
        while (answer.statusCode() == 200) {
            answer = config(brief);
        }

        assertThat(answer.statusCode()).isEqualTo(401);
        assertThat(answer.headers().firstValue("WWW-Authenticate")).hasValue("Bearer");
        assertThat(answer.body()).isEmpty();
    }

    @Test
    @Order(2)
    void keysAreRotatedWhileTheServiceRuns() throws Exception {
        String before = keycloak.token("etl");
        assertThat(config(before).statusCode()).isEqualTo(200);

        keycloak.rotateKeys();
        String after = keycloak.token("etl");

        assertThat(after.split("\\.")[0]).as("names another key").isNotEqualTo(before.split("\\.")[0]);
        assertThat(config(after).statusCode()).isEqualTo(200);
        assertThat(config(before).statusCode()).as("until it expires").isEqualTo(200);
    }

    @Test
    @Order(3)
    void theServiceLivesThroughAnEndOfTheProvider() throws Exception {
        String seen = keycloak.token("etl");
        assertThat(config(seen).statusCode()).isEqualTo(200);
        keycloak.rotateKeys();
        String unseen = keycloak.token("etl");

        keycloak.stop();
        assertThat(config(seen).statusCode()).isEqualTo(200);
        assertThat(config(unseen).statusCode()).isEqualTo(503);
        assertThat(service.isReady()).isTrue();
        service.close();
        service.restart();
        assertThat(config(seen).statusCode()).as("started without its provider").isEqualTo(503);

        keycloak.start();
        assertThat(config(seen).statusCode()).isEqualTo(200);
        assertThat(config(unseen).statusCode()).isEqualTo(200);
    }
}
