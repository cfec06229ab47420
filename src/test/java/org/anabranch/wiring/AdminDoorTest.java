package org.anabranch.wiring;

import static io.restassured.RestAssured.given;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.emptyString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.startsWith;

import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.QuarkusTestProfile;
import io.quarkus.test.junit.TestProfile;
import io.quarkus.test.oidc.server.OidcWiremockTestResource;
import io.restassured.specification.RequestSpecification;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Where rules are in force, operators show who they are on the management port too, and health stays for everybody. */
@QuarkusTest
@TestProfile(AdminDoorTest.Profile.class)
@QuarkusTestResource(value = OidcWiremockTestResource.class, restrictToAnnotatedClass = true)
class AdminDoorTest {

    private static final String RULES = """
            rules:
              - {allow: [admin], roles: [operators]}
              - {allow: [admin], roles: [checkers], when: "op == 'ADMIN_CHECK'"}
              - {allow: [read, read-detached], users: [gc]}
              - {allow: [read], roles: [operators], references: [main]}
            """;

    public static final class Profile implements QuarkusTestProfile {

        @Override
        public Map<String, String> getConfigOverrides() {
            try {
                Path rules = Files.createTempFile("rules", ".yaml");
                rules.toFile().deleteOnExit();
                Files.writeString(rules, RULES);
                return AccessProfile.withRules(rules);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    @TestHTTPResource(value = "", management = true)
    URI management;

    private static RequestSpecification as(String user, String... roles) {
        return given().auth().oauth2(OidcWiremockTestResource.getAccessToken(user, Set.of(roles)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/admin/check", "/admin/sweep", "/admin/export", "/q/metrics"})
    void nobodyIsLetThroughUnknown(String path) {
        given().get(management.resolve(path))
                .then()
                .statusCode(401)
                .header("WWW-Authenticate", "Bearer")
                .body(emptyString());
        given().auth().oauth2("nonsense").get(management.resolve(path)).then().statusCode(401);
    }

    @Test
    void rulesDecideOnEachOperation() {
        as("ann", "checkers").get(management.resolve("/admin/check")).then().statusCode(200);
        as("ann", "checkers")
                .get(management.resolve("/admin/sweep"))
                .then()
                .statusCode(403)
                .body("errorCode", equalTo("FORBIDDEN"))
                .body("message", equalTo("Not allowed for 'ann' with roles [checkers]: ADMIN_SWEEP"));
        as("ann", "checkers").delete(management.resolve("/admin/sweep")).then().statusCode(403);
        as("ann", "checkers")
                .post(management.resolve("/admin/sweep?mode=sweep"))
                .then()
                .statusCode(403);
        as("ann", "checkers").get(management.resolve("/admin/sweep/")).then().statusCode(403);
        as("ann", "checkers").get(management.resolve("/admin/export")).then().statusCode(403);
        as("bob", "operators").get(management.resolve("/admin/sweep")).then().statusCode(200);
        as("bob", "operators").delete(management.resolve("/admin/sweep")).then().statusCode(202);
        as("bob")
                .get(management.resolve("/admin/check"))
                .then()
                .statusCode(403)
                .body("message", startsWith("Not allowed"));
    }

    @Test
    void healthIsForEverybodyAndTellsOfTheRules() {
        given().get(management.resolve("/q/health/ready"))
                .then()
                .statusCode(200)
                .body("checks.find { it.name == 'authorization' }.data.rules", equalTo(4));
    }

    @Test
    void accessIsUnfilteredForThoseAloneWhoReadEverything() {
        as("gc").get("/api/ext/v1/access").then().statusCode(200).body("unfiltered", equalTo(true));
        as("bob", "operators").get("/api/ext/v1/access").then().statusCode(200).body("unfiltered", equalTo(false));
        as("eve").get("/api/ext/v1/access").then().statusCode(200).body("unfiltered", equalTo(false));
        given().get("/api/ext/v1/access").then().statusCode(401);
    }

    @Test
    void whatIsNotAllowedOnTheApiIsForbiddenWithItsChecks() {
        as("bob", "operators").get("/api/v2/trees/main").then().statusCode(200);
        as("bob", "operators")
                .body(
                        "{\"type\":\"BRANCH\",\"name\":\"main\",\"hash\":\"2e1cfa82b035c26cbbbdae632cea070514eb8b773f616aaeaf668e2f0be8f10d\"}")
                .contentType("application/json")
                .post("/api/v2/trees?name=dev&type=BRANCH")
                .then()
                .statusCode(403)
                .body("message", containsString("CREATE_REFERENCE on 'dev'"));
    }
}
