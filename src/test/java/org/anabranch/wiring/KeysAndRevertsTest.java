package org.anabranch.wiring;

import static io.restassured.RestAssured.given;
import static org.hamcrest.Matchers.aMapWithSize;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.notNullValue;
import static org.hamcrest.Matchers.nullValue;
import static org.hamcrest.Matchers.startsWith;

import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.ValidatableResponse;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The API beyond v2, from paths to bodies. */
@QuarkusTest
class KeysAndRevertsTest {

    private static final String EXT = "/api/ext/v1/trees/";

    /** A branch of its own for each test. */
    private String branch;

    private String first;
    private String ordersId;

    /** The branch holds the namespace sales and the table sales.orders, and then sales.orders is updated. */
    @BeforeEach
    void history(TestInfo test) {
        branch = "ext-" + Integer.toHexString(test.getDisplayName().hashCode());
        given().contentType("application/json")
                .body(
                        "{\"type\":\"DETACHED\",\"hash\":\"2e1cfa82b035c26cbbbdae632cea070514eb8b773f616aaeaf668e2f0be8f10d\"}")
                .post("/api/v2/trees?name=" + branch + "&type=BRANCH")
                .then()
                .statusCode(200);
        first = commit(
                "first",
                put("\"sales\"", "{\"type\":\"NAMESPACE\",\"elements\":[\"sales\"]}") + ","
                        + put("\"sales\",\"orders\"", table(null, "v1")));
        ordersId = given().get("/api/v2/trees/" + branch + "/contents/sales.orders")
                .then()
                .statusCode(200)
                .extract()
                .path("content.id");
    }

    private static String table(String id, String location) {
        return "{\"type\":\"ICEBERG_TABLE\"" + (id == null ? "" : ",\"id\":\"" + id + "\"") + ",\"metadataLocation\":\""
                + location + "\",\"snapshotId\":1,\"schemaId\":0,\"specId\":0,\"sortOrderId\":0}";
    }

    private static String put(String elements, String content) {
        return "{\"type\":\"PUT\",\"key\":{\"elements\":[" + elements + "]},\"content\":" + content + "}";
    }

    private static String delete(String elements) {
        return "{\"type\":\"DELETE\",\"key\":{\"elements\":[" + elements + "]}}";
    }

    /** Commits at the head, and returns the new one. */
    private String commit(String message, String operations) {
        String head = given().get("/api/v2/trees/" + branch).path("reference.hash");
        return given().contentType("application/json")
                .body("{\"commitMeta\":{\"message\":\"" + message + "\"},\"operations\":[" + operations + "]}")
                .post("/api/v2/trees/" + branch + "@" + head + "/history/commit")
                .then()
                .statusCode(200)
                .extract()
                .path("targetBranch.hash");
    }

    private ValidatableResponse get(String path) {
        return given().urlEncodingEnabled(false)
                .header("Nessie-Client-Spec", "2")
                .get(EXT + path)
                .then();
    }

    private ValidatableResponse post(String path, String body) {
        return given().urlEncodingEnabled(false)
                .header("Nessie-Client-Spec", "2")
                .header("Nessie-Commit-Authors", "Ada")
                .contentType("application/json")
                .body(body)
                .post(EXT + path)
                .then();
    }

    @Test
    void theHistoryOfAKeyInPages() {
        commit("renamed", delete("\"sales\",\"orders\"") + "," + put("\"sales\",\"o2\"", table(ordersId, "v1")));
        String last = commit("updated", put("\"sales\",\"o2\"", table(ordersId, "v2")));
        String token = get(branch + "/contents/sales.o2/history?max-records=2&content=true")
                .statusCode(200)
                .body("changes.change", contains("UPDATED", "RENAMED"))
                .body("changes.commitMeta.message", contains("updated", "renamed"))
                .body("changes[0].commitMeta.hash", equalTo(last))
                .body("changes[0].content.metadataLocation", equalTo("v2"))
                .body("changes[0].contentId", equalTo(ordersId))
                .body("changes[1].renamedFrom.elements", contains("sales", "orders"))
                .body("hasMore", equalTo(true))
                .extract()
                .path("token");
        get(branch + "/contents/sales.o2/history?max-records=2&content=true&page-token=" + token)
                .statusCode(200)
                .body("changes.change", contains("CREATED"))
                .body("changes[0].key.elements", contains("sales", "orders"))
                .body("changes[0].commitMeta.hash", equalTo(first))
                .body("hasMore", equalTo(false))
                .body("token", nullValue());
        get(branch + "/contents/sales.orders/history")
                .statusCode(200)
                .body("changes.change", contains("DELETED", "CREATED"))
                .body("changes[0].renamedTo.elements", contains("sales", "o2"))
                .body("changes[0].content", nullValue());
        get(branch + "/contents/sales.orders/history?max-records=2&content=true&page-token=" + token)
                .statusCode(400)
                .body("message", startsWith("page-token '" + token + "' is not valid: it belongs to a listing"));
    }

    @Test
    void entriesAndChildrenWithTheirLastChanges() {
        String second =
                commit("second", put("\"sales\",\"eu\"", "{\"type\":\"NAMESPACE\",\"elements\":[\"sales\",\"eu\"]}"));
        commit("third", put("\"sales\",\"eu\",\"orders\"", table(null, "v1")));
        get(branch + "/entries?prefix-key=sales.eu")
                .statusCode(200)
                .body("effectiveReference.name", equalTo(branch))
                .body("entries.key.elements", contains(contains("sales", "eu"), contains("sales", "eu", "orders")))
                .body("entries[0]", aMapWithSize(4))
                .body("entries[0].lastChange.hash", equalTo(second))
                .body("entries.lastChange.message", contains("second", "third"))
                .body("hasMore", equalTo(false));
        get(branch + "/children")
                .statusCode(200)
                .body("entries.key.elements", contains(contains("sales")))
                .body("entries.lastChange.message", contains("first"));
        String token = get(branch + "/children?parent-key=sales&max-records=1&content=true")
                .statusCode(200)
                .body("entries.key.elements", contains(contains("sales", "eu")))
                .body("entries[0].content.type", equalTo("NAMESPACE"))
                .body("hasMore", equalTo(true))
                .extract()
                .path("token");
        commit("later", put("\"sales\",\"zz\"", table(null, "v1")));
        get(branch + "/children?parent-key=sales&max-records=9&content=true&page-token=" + token)
                .statusCode(200)
                .body("entries.key.elements", contains(contains("sales", "orders")))
                .body("entries[0].lastChange.commitTime", notNullValue());
        get(branch + "/count").statusCode(200).body("count", equalTo(5));
        get(branch + "/count?parent-key=sales.eu")
                .statusCode(200)
                .body("count", equalTo(1))
                .body("effectiveReference.type", equalTo("BRANCH"));
    }

    @Test
    void everyCallerIsShownEverything() {
        given().get("/api/ext/v1/access").then().statusCode(200).body("unfiltered", equalTo(true));
    }

    @Test
    void aCommitIsReverted() {
        String second = commit("second", put("\"sales\",\"orders\"", table(ordersId, "v2")));
        post(branch + "@" + second + "/history/revert", "{\"hash\":\"" + second + "\",\"dryRun\":true}")
                .statusCode(200)
                .body("wasApplied", equalTo(false))
                .body("wasSuccessful", equalTo(true));
        String reverted = post(branch + "@" + second + "/history/revert", "{\"hash\":\"" + second + "\"}")
                .statusCode(200)
                .body("wasApplied", equalTo(true))
                .body("effectiveTargetHash", equalTo(second))
                .body("details.key.elements", contains(contains("sales", "orders")))
                .extract()
                .path("resultantTargetHash");
        get(branch + "/entries?key=sales.orders&content=true")
                .body("effectiveReference.hash", equalTo(reverted))
                .body("entries[0].content.metadataLocation", equalTo("v1"))
                .body("entries[0].lastChange.message", startsWith("Revert \"second\""))
                .body("entries[0].lastChange.authors", contains("Ada"));
    }

    @Test
    void aKeyIsReverted() {
        commit("second", put("\"sales\",\"orders\"", table(ordersId, "v2")));
        String third = commit("third", put("\"sales\",\"orders\"", table(ordersId, "v3")));
        post(
                        branch + "@" + third + "/contents/sales.orders/revert",
                        "{\"hash\":\"" + first + "\",\"message\":\"back to v1\"}")
                .statusCode(200)
                .body("wasApplied", equalTo(true));
        get(branch + "/contents/sales.orders/history?content=true")
                .body("changes.content.metadataLocation", contains("v1", "v3", "v2", "v1"))
                .body("changes[0].commitMeta.message", equalTo("back to v1"));
    }

    @Test
    void conflictsAreThoseOfMerges() {
        String second = commit("second", put("\"sales\",\"orders\"", table(ordersId, "v2")));
        String third = commit("third", put("\"sales\",\"orders\"", table(ordersId, "v3")));
        post(branch + "@" + third + "/history/revert", "{\"hash\":\"" + second + "\"}")
                .statusCode(409)
                .body("errorCode", equalTo("REFERENCE_CONFLICT"))
                .body("errorDetails.conflicts.conflictType", contains("VALUE_DIFFERS"))
                .body("errorDetails.conflicts[0].key.elements", contains("sales", "orders"));
        post(branch + "@" + third + "/history/revert", "{\"hash\":\"" + second + "\",\"returnConflictAsResult\":true}")
                .statusCode(200)
                .body("wasSuccessful", equalTo(false))
                .body("details", hasSize(1))
                .body("details[0].conflict.conflictType", equalTo("VALUE_DIFFERS"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "B/contents/sales.orders/history?max-records=x|400|max-records: cannot be read: 'x'",
                "B/contents/sales.orders/history?page-token=x|400|page-token 'x' is not valid",
                "B/contents/sales..orders/history|400|key: cannot be decoded: 'sales..orders'",
                "B/contents/no/history|404|Could not find content for key 'no'",
                "no/contents/sales/history|404|Named reference 'no' not found",
                "B/entries?page-token=x|400|page-token 'x' is not valid",
                "B/entries?filter=(|400|Filter",
                "B/children?page-token=x|400|page-token 'x' is not valid",
                "B/children?parent-key=a..b|400|parent-key: cannot be decoded: 'a..b'",
                "B/count?parent-key=a..b|400|parent-key: cannot be decoded: 'a..b'",
                "no/count|404|Named reference 'no' not found"
            })
    void readsThatAreRefused(String path, int status, String message) {
        get(path.replace("B/", branch + "/")).statusCode(status).body("message", containsString(message));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "B/history/revert|{'hash':'F'}|400|Expected hash must be provided",
                "B@F/history/revert|{}|400|hash: must not be null",
                "B@F/history/revert|{'hash':'xyz'}|400|hash: ",
                "B@F/history/revert|{'hash':7}|400|hash",
                "B@F/history/revert|{'hash':'~1'}|400|Hash to revert must contain a starting commit ID",
                "B@F/history/revert|{'hash':'F','message':''}|400|message: must not be empty",
                "B@F/history/revert|{'hash':'11223344'}|404|Could not find commit '11223344' in reference",
                "B@F/contents/no/revert|{'hash':'F'}|404|Could not find content for key 'no'",
                "B@F/contents/a..b/revert|{'hash':'F'}|400|key: cannot be decoded: 'a..b'",
                "B@11223344/history/revert|{'hash':'F'}|404|Could not find commit '11223344' in reference"
            })
    void revertsThatAreRefused(String path, String body, int status, String message) {
        post(
                        path.replaceFirst("^B", branch).replace("F/", first + "/"),
                        body.replace('\'', '"').replace("\"F\"", "\"" + first + "\""))
                .statusCode(status)
                .body("message", containsString(message));
        post(branch + "@" + first + "/history/revert", "").statusCode(400).body("message", startsWith("revert: "));
    }
}
