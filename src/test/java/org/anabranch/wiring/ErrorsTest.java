package org.anabranch.wiring;

import static io.restassured.RestAssured.given;
import static org.hamcrest.Matchers.allOf;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.nullValue;
import static org.hamcrest.Matchers.startsWith;

import io.quarkus.test.junit.QuarkusTest;
import io.restassured.http.ContentType;
import io.restassured.response.ValidatableResponse;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every refusal is an error body, whoever refuses. */
@QuarkusTest
class ErrorsTest {

    private static final String N0 = "2e1cfa82b035c26cbbbdae632cea070514eb8b773f616aaeaf668e2f0be8f10d";
    private static final String COMMIT_PATH = "/api/v2/trees/main@" + N0 + "/history/commit";

    private static void assertError(ValidatableResponse response, int status, String code) {
        response.statusCode(status)
                .contentType(startsWith("application/json"))
                .body("status", equalTo(status))
                .body("errorCode", equalTo(code))
                .body("reason", not(nullValue()))
                .body("message", not(nullValue()))
                .body("serverStackTrace", nullValue());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/api/v2",
                "/api/v2/nothing",
                "/api/v2/trees/main/nothing",
                "/api/v2/trees/main/history/nothing",
                "/api/v2/config/nothing",
                "/api/v2/trees/main/entries/x",
                "/api/v2/trees/main/contents/",
                "/api/v2/config/repository/",
                "/api/v2/trees/fe/x",
                "/api/v2/trees/main/diff"
            })
    void unknownPaths(String path) {
        ValidatableResponse answer = given().get(path).then();
        assertError(answer, 404, "UNKNOWN");
        answer.body("message", containsString("GET /api/v2/trees"));
    }

    @ParameterizedTest
    @CsvSource({
        "PUT,/api/v2/trees",
        "PATCH,/api/v2/trees",
        "DELETE,/api/v2/config",
        "PUT,/api/v2/trees/main/contents",
        "POST,/api/v2/trees/main/contents/k",
        "GET,/api/v2/trees/main/history/commit",
        "POST,/api/v2/trees/main/entries",
        "POST,/api/v2/trees/main/history",
        "POST,/api/v2/trees/main/diff/main"
    })
    void methodsThatAPathDoesNotTake(String method, String path) {
        assertError(given().request(method, path).then(), 405, "UNKNOWN");
    }

    @Test
    void headAndOptionsWorkWhereGetDoes() {
        given().head("/api/v2/config").then().statusCode(200);
        given().head("/api/v2/trees/main/entries").then().statusCode(200);
        given().options("/api/v2/trees/main/entries").then().statusCode(200).header("Allow", containsString("GET"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "application/json",
                "application/json; charset=utf-8",
                "*/*",
                "application/*",
                "text/html, application/json;q=0.9"
            })
    void acceptableTypes(String accept) {
        given().header("Accept", accept).get("/api/v2/config").then().statusCode(200);
    }

    @Test
    void answersThatNobodyAccepts() {
        assertError(given().header("Accept", "text/html").get("/api/v2/config").then(), 406, "UNKNOWN");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"text/plain", "application/xml", "application/vnd.x+json", "application/x-www-form-urlencoded"})
    void otherContentTypes(String type) {
        assertError(
                given().header("Content-Type", type)
                        .body("{}")
                        .post(COMMIT_PATH)
                        .then(),
                415,
                "UNSUPPORTED_MEDIA_TYPE");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "/api/v2/trees?max-records=many|max-records: cannot be read: 'many'",
                "/api/v2/trees?max-records=2147483648|max-records: cannot be read: '2147483648'",
                "/api/v2/trees?fetch=all|fetch: cannot be read: 'all'",
                "/api/v2/trees/main?fetch=SOME|fetch: cannot be read: 'SOME'",
                "/api/v2/trees/main/recent-changes?scan-commits=x|scan-commits: cannot be read: 'x'",
                "/api/v2/trees/main/entries?max-records=many|max-records: cannot be read: 'many'",
                "/api/v2/trees/main/entries?key=.a*x|key: cannot be decoded: '.a*x'",
                "/api/v2/trees/main/entries?min-key=a..b|min-key: cannot be decoded: 'a..b'",
                "/api/v2/trees/main/entries?filter=(|Filter",
                "/api/v2/trees/main/entries?filter=entry.name|Filter",
                "/api/v2/trees/main/entries?page-token=x|page-token",
                "/api/v2/trees/main/entries?prefix-key=a&min-key=b|prefix-key",
                "/api/v2/trees/main/history?limit-hash=xyz|limit-hash: 'xyz'",
                "/api/v2/trees/main/contents/a..b|key: cannot be decoded: 'a..b'",
                "/api/v2/trees/main/contents/a%01b|key: cannot be decoded",
                "/api/v2/trees/main/contents|key: size must be between 1 and",
                "/api/v2/trees/a..b/entries|Reference name must start with a letter",
                "/api/v2/trees/main~0/entries|Reference name must start with a letter",
                "/api/v2/trees/@/entries|a detached reference needs a hash",
                "/api/v2/trees/main/diff/DETACHED|a detached reference needs a hash",
                "/api/v2/trees/a..b|Reference name must start with a letter"
            })
    void parametersThatCannotBeRead(String path, String message) {
        ValidatableResponse response =
                given().urlEncodingEnabled(false).get(path).then();
        assertError(response, 400, "BAD_REQUEST");
        response.body("message", containsString(message));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{|not JSON",
                "[]|has the wrong type; give an object",
                "'text'|has the wrong type",
                "{'operations':[]}|commitMeta: must not be null",
                "{'commitMeta':{'message':'m'}}|operations: size must be between 1 and 2147483647",
                "{'commitMeta':{'message':5},'operations':[]}|commitMeta.message: ",
                "{'commitMeta':{'message':'m','authours':[]},'operations':[]}|authours: unknown field",
                "{'commitMeta':{'message':'m','authorTime':5},'operations':[]}|commitMeta.authorTime: ",
                "{'commitMeta':{'message':'m','authorTime':'x'},'operations':[]}|commitMeta.authorTime: cannot be read: 'x'",
                "{'commitMeta':{'message':'m'},'operations':[{'type':'MOVE'}]}|operations[0]: 'MOVE' is not a type",
                "{'commitMeta':{'message':'m'},'operations':[{'type':'DELETE','key':{'elements':['a','']}}]}|operations[0].key: ",
                "{'commitMeta':{'message':'m'},'operations':[{'type':'PUT','key':{'elements':['a']},'content':"
                        + "{'type':'ICEBERG_TABLE','metadataLocation':'m','snapshotId':1,'schemaId':2147483648}}]}"
                        + "|operations[0].content.schemaId: ",
                "{'commitMeta':{'message':'m'},'operations':[{'type':'PUT','key':{'elements':['a']},'content':"
                        + "{'type':'ICEBERG_TABLE','snapshotId':1}}]}|must not be null"
            })
    void bodiesThatCannotBeRead(String body, String message) {
        ValidatableResponse response = given().contentType(ContentType.JSON)
                .body(body.replace('\'', '"'))
                .post(COMMIT_PATH)
                .then();
        assertError(response, 400, "BAD_REQUEST");
        response.body("message", allOf(containsString(message), not(containsString("org.anabranch"))));
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "none",
            value = {"none,false", "0,false", "1,false", "two,false", "2,true", "2.1,true", "3,true", "99,true"})
    void detailsAreForCallersThatKnowThem(String clientSpec, boolean expected) {
        var request = given();
        if (clientSpec != null) {
            request.header("Nessie-Client-Spec", clientSpec);
        }
        ValidatableResponse response =
                request.get("/api/v2/trees/main/contents/x").then();
        assertError(response, 404, "CONTENT_NOT_FOUND");
        response.body("errorDetails.contentKey.elements[0]", expected ? equalTo("x") : nullValue());
    }

    @Test
    void aBearerTokenIsIgnored() {
        given().header("Authorization", "Bearer whatever")
                .get("/api/v2/trees/main/entries")
                .then()
                .statusCode(200);
    }
}
