package org.anabranch.wiring;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.Test;

class EnvironmentNamesTest {

    @Test
    void variablesThatStandForNoPropertyAreFound() {
        assertThat(EnvironmentNames.unknown(Set.of(
                        "ANABRANCH_AUTHORIZATON_TYPE",
                        "ANABRANCH_CACHE_SIZE",
                        "ANABRANCH_CACHE",
                        "ANABRANCH_DEFAULT_BRANCH",
                        "ANABRANCH_STORE_TYPE",
                        "ANABRANCH_STORE_POSTGRESQL_PASSWORD_FILE",
                        "ANABRANCH_LIMITS_REQUEST_BODY_TIME",
                        "QUARKUS_HTTP_PORT",
                        "PATH")))
                .containsExactly("ANABRANCH_AUTHORIZATON_TYPE", "ANABRANCH_CACHE");
    }

    @Test
    void whatAPlatformTellsOfAServiceOfThisNameIsNoMistake() {
        assertThat(EnvironmentNames.unknown(Set.of(
                        "ANABRANCH_SERVICE_HOST",
                        "ANABRANCH_SERVICE_PORT",
                        "ANABRANCH_SERVICE_PORT_HTTP",
                        "ANABRANCH_PORT",
                        "ANABRANCH_PORT_19120_TCP",
                        "ANABRANCH_PORT_19120_TCP_ADDR",
                        "ANABRANCH_MANAGEMENT_SERVICE_HOST")))
                .isEmpty();
    }
}
