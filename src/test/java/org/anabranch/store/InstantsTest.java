package org.anabranch.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Microseconds since the epoch. */
class InstantsTest {

    @ParameterizedTest(name = "{0} is {1}")
    @CsvSource({
        "1970-01-01T00:00:00Z, 0",
        "1970-01-01T00:00:01.000002999Z, 1000002",
        "1969-12-31T23:59:59.999999Z, -1",
        "1969-12-31T23:59:59.999999001Z, -1",
        "1969-12-31T23:59:58Z, -2000000",
    })
    void areRoundedDown(Instant time, long micros) {
        assertThat(Instants.micros(time)).isEqualTo(micros);
    }

    @Test
    void tellTheTimeAgain() {
        for (long micros : new long[] {0, 1, -1, 1_764_500_000_123_456L, -62_135_596_800_000_001L}) {
            assertThat(Instants.micros(Instants.ofMicros(micros))).isEqualTo(micros);
        }
    }

    @Test
    void endAtTheLargestValues() {
        assertThat(Instants.micros(Instant.MAX)).isEqualTo(Long.MAX_VALUE);
        assertThat(Instants.micros(Instant.MIN)).isEqualTo(Long.MIN_VALUE);
    }
}
