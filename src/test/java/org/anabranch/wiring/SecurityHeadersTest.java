package org.anabranch.wiring;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;

import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.http.ContentType;
import io.restassured.response.Response;
import java.net.URI;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What every answer tells browsers, whoever gives it. */
@QuarkusTest
class SecurityHeadersTest {

    @TestHTTPResource(value = "", management = true)
    URI management;

    private static void assertGuarded(Response answer) {
        assertThat(answer.header("X-Content-Type-Options")).isEqualTo("nosniff");
        assertThat(answer.header("X-Frame-Options")).isEqualTo("DENY");
        assertThat(answer.header("Referrer-Policy")).isEqualTo("no-referrer");
        assertThat(answer.header("Cross-Origin-Resource-Policy")).isEqualTo("same-origin");
        assertThat(answer.header("Cache-Control")).isEqualTo("no-store");
        assertThat(answer.header("Strict-Transport-Security"))
                .as("only over TLS")
                .isNull();
        assertThat(answer.headers().getValues("Content-Security-Policy"))
                .singleElement()
                .asString()
                .startsWith("default-src 'none'")
                .contains("frame-ancestors 'none'");
        assertThat(answer.header("Server")).isNull();
        assertThat(answer.header("X-Powered-By")).isNull();
    }

    @ParameterizedTest
    @CsvSource({
        "GET,/api/v2/config,200",
        "GET,/api/v2/trees/main/entries,200",
        "GET,/api/v2/trees/nowhere,404",
        "GET,/api/v2/trees/main/contents/x,404",
        "GET,/api/v2/trees/fe/x@/entries,404",
        "GET,/nothing,404",
        "PUT,/api/v2/config,405",
        "GET,/q/openapi,200",
        "GET,/q/swagger-ui/,200"
    })
    void answers(String method, String path, int status) {
        Response answer = given().request(method, path);
        assertThat(answer.statusCode()).isEqualTo(status);
        assertGuarded(answer);
    }

    @Test
    void refusalsBeforeAResourceIsLookedFor() {
        assertGuarded(given().accept("text/html").get("/api/v2/config"));
        assertGuarded(given().contentType("text/plain").body("x").post("/api/v2/trees/main/history/commit"));
        assertGuarded(given().contentType(ContentType.JSON).body("{").post("/api/v2/trees/main/history/commit"));
        Response tooLarge = given().contentType(ContentType.JSON)
                .body(new byte[17 << 20])
                .post("/api/v2/trees/main/history/commit");
        assertThat(tooLarge.statusCode()).isEqualTo(413);
        assertGuarded(tooLarge);
    }

    @Test
    void theDescriptionRunsItsOwnScriptsOnly() {
        assertThat(given().get("/q/swagger-ui/").header("Content-Security-Policy"))
                .contains("script-src 'self'")
                .contains("connect-src 'self'")
                .contains("form-action 'none'");
        assertThat(given().get("/q/openapi").header("Content-Security-Policy"))
                .isEqualTo("default-src 'none'; frame-ancestors 'none'");
    }

    @Test
    void theManagementPort() {
        Response health = given().get(management.resolve("/q/health/ready"));
        assertThat(health.statusCode()).isEqualTo(200);
        assertThat(health.header("X-Content-Type-Options")).isEqualTo("nosniff");
        assertThat(health.header("Cache-Control")).isEqualTo("no-store");
    }
}
