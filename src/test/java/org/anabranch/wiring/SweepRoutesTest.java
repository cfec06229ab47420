package org.anabranch.wiring;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.equalTo;

import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** A sweep beside the running service, over the management port and by the command. */
@QuarkusTest
class SweepRoutesTest {

    @TestHTTPResource(value = "", management = true)
    URI management;

    @Test
    void theCommandHasTheServiceSweepItself() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        PrintStream stream = new PrintStream(out, true, StandardCharsets.UTF_8);

        int status = SweepCommand.run(new String[] {"--service", management.toString()}, stream, stream);

        assertThat(out.toString(StandardCharsets.UTF_8)).contains("references lead to");
        assertThat(status).isEqualTo(SweepCommand.SWEPT);
        given().get(management.resolve("/admin/sweep"))
                .then()
                .statusCode(200)
                .body("state", equalTo("ENDED"))
                .body("mode", equalTo("SWEEP"))
                .body("report.complete", equalTo(true));
    }

    @Test
    void aModeThatIsNoneIsRefused() {
        given().post(management.resolve("/admin/sweep?mode=maybe"))
                .then()
                .statusCode(400)
                .body("message", equalTo("mode: 'maybe' is not 'sweep' or 'dry-run'"));
    }

    @Test
    void notOnThePortOfTheApi() {
        given().get("/admin/sweep").then().statusCode(404);
    }
}
