package org.anabranch.wiring;

import static org.assertj.core.api.Assertions.assertThat;

import io.smallrye.config.SmallRyeConfigBuilder;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class UnusedDatabaseTest {

    private static final String URL = "anabranch.store.postgresql.url";

    private static Optional<String> warning(Map<String, String> given) {
        return Database.warning(new SmallRyeConfigBuilder()
                .addDiscoveredConverters()
                .withMapping(AnabranchConfig.class)
                .withDefaultValue("anabranch.store.path", "/tmp")
                .withDefaultValues(given)
                .build()
                .getConfigMapping(AnabranchConfig.class)
                .store());
    }

    @Test
    void aUrlWithoutItsStoreIsTold() {
        assertThat(warning(Map.of(URL, "jdbc:postgresql://db/lake")))
                .hasValueSatisfying(
                        told -> assertThat(told).contains(URL, "'embedded'").doesNotContain("db/lake"));
    }

    @Test
    void nothingIsToldWhereItIsUsedOrNotGiven() {
        assertThat(warning(Map.of(URL, "jdbc:postgresql://db/lake", "anabranch.store.type", "postgresql")))
                .isEmpty();
        assertThat(warning(Map.of())).isEmpty();
    }
}
