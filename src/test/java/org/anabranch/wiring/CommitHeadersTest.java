package org.anabranch.wiring;

import static io.restassured.RestAssured.given;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.nullValue;

import io.quarkus.test.junit.QuarkusTest;
import io.restassured.http.ContentType;
import io.restassured.response.ValidatableResponse;
import io.restassured.specification.RequestSpecification;
import org.junit.jupiter.api.Test;

/** Request headers that add to the metadata of a commit. */
@QuarkusTest
class CommitHeadersTest {

    private static final String N0 = "2e1cfa82b035c26cbbbdae632cea070514eb8b773f616aaeaf668e2f0be8f10d";
    private static final String UNCHANGED = "[{\"type\":\"UNCHANGED\",\"key\":{\"elements\":[\"a\"]}}]";

    /** Makes a branch with one commit and gives the commit's metadata. */
    private static ValidatableResponse commit(String branch, RequestSpecification request) {
        given().contentType(ContentType.JSON)
                .body("{\"type\":\"DETACHED\",\"hash\":\"" + N0 + "\"}")
                .post("/api/v2/trees?type=BRANCH&name=" + branch)
                .then()
                .statusCode(200);
        request.contentType(ContentType.JSON)
                .post("/api/v2/trees/" + branch + "@" + N0 + "/history/commit")
                .then()
                .statusCode(200)
                .body("targetBranch.name", equalTo(branch))
                .body("addedContents", nullValue());
        return given().get("/api/v2/trees/" + branch + "/history").then().statusCode(200);
    }

    @Test
    void theyReplaceAppendAndSet() {
        commit(
                        "headers-all",
                        given().header("Nessie-Commit-Message", " from the gateway ")
                                .header("nessie-commit-authors", "Bob, Cid,, ", "Dee")
                                .header("Nessie-Commit-SignedOffBy", "Eve")
                                .header("Nessie-Commit-Property-Job-Id", "17")
                                .header("Nessie-Commit-Property-kept", "new")
                                .body("{\"commitMeta\":{\"message\":\"m\",\"authors\":[\"Ann\"],"
                                        + "\"allProperties\":{\"kept\":[\"old\"],\"other\":[\"x\"]}},\"operations\":"
                                        + UNCHANGED + "}"))
                .body("logEntries[0].commitMeta.message", equalTo("from the gateway"))
                .body("logEntries[0].commitMeta.authors", contains("Ann", "Bob", "Cid", "Dee"))
                .body("logEntries[0].commitMeta.allSignedOffBy", contains("Eve"))
                .body("logEntries[0].commitMeta.allProperties.'job-id'", contains("17"))
                .body("logEntries[0].commitMeta.allProperties.kept", contains("new"))
                .body("logEntries[0].commitMeta.allProperties.other", contains("x"));
    }

    @Test
    void blanksDoNotCount() {
        commit(
                        "headers-blank",
                        given().header("Nessie-Commit-Message", "  ")
                                .header("Nessie-Commit-Authors", " , ")
                                .header("Nessie-Commit-Property-p", " ")
                                .body("{\"commitMeta\":{\"message\":\"m\"},\"operations\":" + UNCHANGED + "}"))
                .body("logEntries[0].commitMeta.message", equalTo("m"))
                .body("logEntries[0].commitMeta.authors", contains(""))
                .body("logEntries[0].commitMeta.allProperties", nullValue());
    }
}
