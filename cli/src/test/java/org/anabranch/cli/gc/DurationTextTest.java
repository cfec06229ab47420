package org.anabranch.cli.gc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

/** Durations as people write them. */
class DurationTextTest {

    @ParameterizedTest
    @CsvSource({"3d, PT72H", "12h, PT12H", "30m, PT30M", "45s, PT45S", "0s, PT0S", "PT36H, PT36H", "P1DT1S, PT24H1S"})
    void areRead(String text, Duration duration) {
        assertThat(new DurationText().convert(text)).isEqualTo(duration);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "3", "d", "3 d", "-3d", "PT-1S", "3w", "9999999999d", "soon"})
    void othersAreRefused(String text) {
        assertThatThrownBy(() -> new DurationText().convert(text))
                .isInstanceOf(TypeConversionException.class)
                .hasMessageContaining("'" + text + "'");
    }
}
