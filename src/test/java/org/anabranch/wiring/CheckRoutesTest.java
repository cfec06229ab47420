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

/** A check beside the running service, over the management port and by the command. */
@QuarkusTest
class CheckRoutesTest {

    @TestHTTPResource(value = "", management = true)
    URI management;

    @Test
    void theCommandHasTheServiceCheckItself() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        PrintStream stream = new PrintStream(out, true, StandardCharsets.UTF_8);

        int status = CheckCommand.run(new String[] {"--service", management.toString()}, stream, stream);

        assertThat(out.toString(StandardCharsets.UTF_8)).contains("Nothing is wrong.");
        assertThat(status).isEqualTo(CheckCommand.CLEAN);
        given().get(management.resolve("/admin/check"))
                .then()
                .statusCode(200)
                .body("state", equalTo("ENDED"))
                .body("mode", equalTo("FULL"))
                .body("report.clean", equalTo(true))
                .body("report.findings.size()", equalTo(0));
    }

    @Test
    void aLevelThatIsNoneIsRefused() {
        given().post(management.resolve("/admin/check?mode=deep"))
                .then()
                .statusCode(400)
                .body("message", equalTo("mode: 'deep' is not 'full' or 'quick'"));
    }

    @Test
    void anEndIsTakenAlsoWhenNothingRuns() {
        given().delete(management.resolve("/admin/check")).then().statusCode(202);
    }

    @Test
    void notOnThePortOfTheApi() {
        given().get("/admin/check").then().statusCode(404);
    }
}
