package org.anabranch.wiring;

import static io.restassured.RestAssured.given;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;

import io.quarkus.test.junit.QuarkusTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** References and keys in paths, encoded and literal. What was understood shows in the errors for what is not there. */
@QuarkusTest
class RoutingTest {

    private static final String HASH = "1122334455667788112233445566778811223344556677881122334455667788";

    @ParameterizedTest
    @CsvSource({
        "no%2Fx/entries,Named reference 'no/x' not found",
        "no/x@/entries,Named reference 'no/x' not found",
        "no/x%40/entries,Named reference 'no/x' not found",
        "no%2Fx%40" + HASH + "/history,Named reference 'no/x' not found",
        "no/x@" + HASH + "/history,Named reference 'no/x' not found",
        "no%7E1/entries,Named reference 'no' not found",
        "no~1/entries,Named reference 'no' not found",
        "no%5E1/entries,Named reference 'no' not found",
        "no*2026-01-31T12:00:00Z/entries,Named reference 'no' not found",
        "no*2026-01-31T12%3A00%3A00.5Z/entries,Named reference 'no' not found",
        "no/x@/diff/main,Named reference 'no/x' not found",
        "main/diff/no/x@,Named reference 'no/x' not found",
        "main/diff/no%2Fx,Named reference 'no/x' not found",
        "@" + HASH + "/history,Commit '" + HASH + "' not found",
        "%40" + HASH + "/entries,Commit '" + HASH + "' not found",
        "DETACHED%40" + HASH + "/entries,Commit '" + HASH + "' not found",
        "main@" + HASH + "/contents/a.b,Commit '" + HASH + "' not found",
        "main@11223344/entries,Commit '11223344' not found"
    })
    void references(String path, String message) {
        given().urlEncodingEnabled(false)
                .get("/api/v2/trees/" + path)
                .then()
                .statusCode(404)
                .body("errorCode", equalTo("REFERENCE_NOT_FOUND"))
                .body("message", containsString(message));
    }

    @ParameterizedTest
    @CsvSource({
        "a.b,a|b",
        "a%2Eb,a|b",
        "a%2Fb,a/b",
        "a+b,a+b",
        "a%25b,a%b",
        "a%5Cb,a\\b",
        "a%1Db,a.b",
        "a%00b,a.b",
        ".a.b*.c,a|b.c",
        ".a*%7Bb*%5Bc*%7Dd,a/b%c\\d",
        "a%20b,a b",
        "a;b,a;b",
        "a@b,a@b",
        "gr%C3%BCn,gr\u00fcn",
        "%F0%9F%98%80,\uD83D\uDE00"
    })
    void keys(String segment, String elements) {
        given().urlEncodingEnabled(false)
                .header("Nessie-Client-Spec", "2")
                .get("/api/v2/trees/-/contents/" + segment)
                .then()
                .statusCode(404)
                .body("errorDetails.contentKey.elements.join('|')", equalTo(elements));
    }

    @Test
    @Timeout(20)
    void longPathsCostLittle() {
        String name = "a".repeat(60_000);
        given().urlEncodingEnabled(false)
                .get("/api/v2/trees/" + name + "/entries")
                .then()
                .statusCode(404)
                .body("errorCode", equalTo("REFERENCE_NOT_FOUND"));
    }

    @ParameterizedTest
    @CsvSource({"/api/v2/config", "/api/v2/config/", "/api/v2/trees", "/api/v2/trees/"})
    void aSlashBehindTheShortPathsDoesNotMatter(String path) {
        given().get(path).then().statusCode(200);
    }
}
