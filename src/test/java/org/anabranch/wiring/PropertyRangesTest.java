package org.anabranch.wiring;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quarkus.runtime.configuration.MemorySize;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.math.BigInteger;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PropertyRangesTest {

    private static void requireAll(Map<String, String> given) {
        AnabranchConfig config = new SmallRyeConfigBuilder()
                .addDiscoveredConverters()
                .withMapping(AnabranchConfig.class)
                .withDefaultValue("anabranch.store.path", "/tmp")
                .withDefaultValues(given)
                .build()
                .getConfigMapping(AnabranchConfig.class);
        DeclaredProperties.values(config).forEach(PropertyRanges::require);
    }

    @Test
    void theDefaultsAreGood() {
        assertThatCode(() -> requireAll(Map.of())).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @CsvSource({
        "anabranch.limits.write-time, PT9999999999999S",
        "anabranch.limits.write-time, PT-5S",
        "anabranch.limits.judgement-time, P40000D",
        "anabranch.idempotency.lifetime, PT9999999999999S",
        "anabranch.sweep.interval, PT-1M",
        "anabranch.limits.answer-time, PT0S",
        "anabranch.limits.operations, 0",
        "anabranch.limits.filter-length, -1",
        "anabranch.limits.batch-size, 0",
        "anabranch.recent-changes.count, -1",
        "anabranch.store.postgresql.statement-time, PT9999999999999S"
    })
    void whatNoPropertyCanHaveIsRefusedByItsName(String name, String value) {
        assertThatThrownBy(() -> requireAll(Map.of(name, value)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(name + " (");
    }

    @Test
    void zeroIsGoodWhereItMeansNothing() {
        assertThatCode(() -> {
                    PropertyRanges.require("anabranch.cache.size", new MemorySize(BigInteger.ZERO));
                    PropertyRanges.require("anabranch.audit.files", 0);
                    PropertyRanges.require("anabranch.log.slow-request", Duration.ZERO);
                    PropertyRanges.require("anabranch.sweep.interval", Optional.empty());
                })
                .doesNotThrowAnyException();
    }
}
