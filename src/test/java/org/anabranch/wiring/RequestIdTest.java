package org.anabranch.wiring;

import static io.restassured.RestAssured.given;
import static org.hamcrest.Matchers.hasLength;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.matchesPattern;

import io.quarkus.test.junit.QuarkusTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every answer says which request it is of. */
@QuarkusTest
class RequestIdTest {

    private static final String HEADER = "X-Request-Id";
    private static final String UUID = "[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}";

    @ParameterizedTest
    @ValueSource(strings = {"/api/v2/config", "/api/v2/trees/main@/entries", "/api/v2/trees/absent", "/nowhere"})
    void anAnswerCarriesTheIdOfItsRequest(String path) {
        given().header(HEADER, "job-17/try:2").get(path).then().header(HEADER, is("job-17/try:2"));
        given().get(path).then().header(HEADER, matchesPattern(UUID));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a b", "{\"x\":1}", "<b>"})
    void anIdThatCouldDoHarmIsReplaced(String id) {
        given().header(HEADER, id).get("/api/v2/config").then().header(HEADER, matchesPattern(UUID));
    }

    @Test
    void anIdIsBounded() {
        given().header(HEADER, "x".repeat(128)).get("/api/v2/config").then().header(HEADER, hasLength(128));
        given().header(HEADER, "x".repeat(129)).get("/api/v2/config").then().header(HEADER, matchesPattern(UUID));
    }

    @Test
    void ofTwoIdsNeitherCounts() {
        given().header(HEADER, "one")
                .header(HEADER, "two")
                .get("/api/v2/config")
                .then()
                .header(HEADER, matchesPattern(UUID));
    }
}
