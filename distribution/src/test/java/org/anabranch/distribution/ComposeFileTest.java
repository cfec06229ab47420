package org.anabranch.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Iterator;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The Compose file, whose syntax Compose itself checks in {@code .ci/distribution}. */
class ComposeFileTest {

    private final JsonNode compose =
            Project.yaml(Project.text("docker/compose.yaml")).getFirst();
    private final JsonNode catalog = compose.path("services").path("anabranch");

    @Test
    void theCatalogIsOfThisVersion() {
        assertThat(catalog.path("image").asText()).isEqualTo("anabranch:" + Project.version());
    }

    @Test
    void everyVariableOfTheCatalogStandsForADocumentedProperty() {
        Set<String> known =
                Project.documentedProperties().stream().map(Project::variable).collect(Collectors.toSet());

        assertThat(catalog.path("environment").fieldNames())
                .toIterable()
                .isNotEmpty()
                .isSubsetOf(known);
    }

    @Test
    void theImageIsOfThisVersion() {
        assertThat(catalog.path("image").asText()).isEqualTo("anabranch:" + Project.version());
    }

    @Test
    void theCatalogMayDoNothingThatItNeedNot() {
        assertThat(catalog.path("read_only").asBoolean()).isTrue();
        assertThat(catalog.path("user").asText()).isEqualTo("1001:1001");
        assertThat(catalog.path("cap_drop").toString()).isEqualTo("[\"ALL\"]");
    }

    @Test
    void onlyThisMachineReachesAnyOfThem() {
        compose.path("services")
                .findValues("ports")
                .forEach(
                        ports -> ports.forEach(port -> assertThat(port.asText()).startsWith("127.0.0.1:")));
    }

    @Test
    void everyServiceThatTheCatalogWaitsForSaysWhenItIsHealthy() {
        Iterator<String> needed = catalog.path("depends_on").fieldNames();

        assertThat(needed).toIterable().containsExactlyInAnyOrder("database", "keycloak");
        for (String service : Set.of("database", "keycloak")) {
            assertThat(compose.path("services").path(service).has("healthcheck"))
                    .as(service)
                    .isTrue();
        }
    }

    /** The realm issues tokens for the audience that the catalog asks for. */
    @Test
    void theRealmServesTheCatalog() {
        JsonNode realm =
                Project.yaml(Project.text("docker/keycloak/lake-realm.json")).getFirst();
        JsonNode environment = catalog.path("environment");

        assertThat(environment.path("ANABRANCH_AUTHENTICATION_OIDC_PROVIDER").asText())
                .endsWith("/realms/" + realm.path("realm").asText());
        assertThat(realm.findValuesAsText("included.custom.audience"))
                .containsOnly(environment
                        .path("ANABRANCH_AUTHENTICATION_OIDC_AUDIENCE")
                        .asText());
    }
}
