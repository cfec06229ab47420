package org.anabranch.wiring;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.nullValue;

import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.QuarkusTestProfile;
import io.quarkus.test.junit.TestProfile;
import java.net.URI;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** A strict audit trail whose disk is full: reads go on, and writes are refused before they change anything. */
@QuarkusTest
@TestProfile(FullAuditFileTest.Profile.class)
@EnabledOnOs(value = OS.LINUX, disabledReason = "only there is a device that is always full")
class FullAuditFileTest {

    private static final String N0 = "2e1cfa82b035c26cbbbdae632cea070514eb8b773f616aaeaf668e2f0be8f10d";

    /** A device on which every write fails for lack of room. */
    public static final class Profile implements QuarkusTestProfile {

        @Override
        public Map<String, String> getConfigOverrides() {
            return Map.of("anabranch.audit.mode", "strict", "anabranch.audit.file", "/dev/full");
        }
    }

    @TestHTTPResource(value = "", management = true)
    URI management;

    @Test
    void writesAreRefusedAndReadsAreNot() {
        String before = head();
        given().contentType("application/json")
                .body(
                        "{\"commitMeta\":{\"message\":\"m\"},\"operations\":[{\"type\":\"PUT\",\"key\":{\"elements\":[\"n\"]},"
                                + "\"content\":{\"type\":\"NAMESPACE\",\"elements\":[\"n\"]}}]}")
                .post("/api/v2/trees/main@" + before + "/history/commit")
                .then()
                .statusCode(503)
                .header("Retry-After", is("1"))
                .body("message", containsString("changed nothing"));
        given().contentType("application/json")
                .body("{\"type\":\"DETACHED\",\"hash\":\"" + N0 + "\"}")
                .post("/api/v2/trees?type=BRANCH&name=never")
                .then()
                .statusCode(503);
        given().get("/api/v2/trees/never").then().statusCode(404);
        assertThat(head()).isEqualTo(before);
    }

    @Test
    void operatorsAreRefusedToo() {
        given().post(management.resolve("/admin/sweep?mode=sweep"))
                .then()
                .statusCode(503)
                .header("Retry-After", is("1"))
                .body("message", containsString("changed nothing"));
        given().get(management.resolve("/admin/export")).then().statusCode(503);
        given().get(management.resolve("/admin/sweep")).then().statusCode(200).body("startedAt", nullValue());
    }

    private static String head() {
        return given().get("/api/v2/trees/main")
                .then()
                .statusCode(200)
                .extract()
                .path("reference.hash");
    }
}
