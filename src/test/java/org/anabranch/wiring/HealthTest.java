package org.anabranch.wiring;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasItem;

import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.smallrye.health.AsyncHealthCheckFactory;
import jakarta.inject.Inject;
import java.net.URI;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.junit.jupiter.api.Test;

/** Health is told on the management port and there alone. */
@QuarkusTest
class HealthTest {

    @TestHTTPResource(value = "", management = true)
    URI management;

    @Inject
    AsyncHealthCheckFactory checks;

    @Test
    void aliveAndReady() {
        given().get(management.resolve("/q/health/live")).then().statusCode(200).body("status", equalTo("UP"));
        given().get(management.resolve("/q/health/ready"))
                .then()
                .statusCode(200)
                .body("status", equalTo("UP"))
                .body("checks.name", hasItem("store"))
                .body("checks.find { it.name == 'store' }.data.kind", equalTo("memory"));
    }

    @Test
    void aCheckThatFailsIsNotQuoted() {
        HealthCheckResponse answer = checks.callSync(() -> {
                    throw new IllegalStateException("SELECT password FROM users");
                })
                .await()
                .indefinitely();

        assertThat(answer.getStatus()).isEqualTo(HealthCheckResponse.Status.DOWN);
        assertThat(answer.getData()).isEmpty();
    }

    @Test
    void started() {
        given().get(management.resolve("/q/health/started"))
                .then()
                .statusCode(200)
                .body("status", equalTo("UP"))
                .body("checks.name", hasItem("repository"));
    }

    @Test
    void notOnThePortOfTheApi() {
        given().get("/q/health").then().statusCode(404);
    }
}
