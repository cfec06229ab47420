package org.anabranch.wiring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class ServeOptionsTest {

    private static Map<String, String> properties(String... args) {
        ServeOptions options = new ServeOptions();
        Main.commandLine(options).parseArgs(args);
        return options.asProperties();
    }

    @Test
    void whatIsNotGivenStaysAsConfigured() {
        assertThat(properties()).isEmpty();
    }

    @Test
    void everyOptionIsAProperty() {
        assertThat(properties("--port", "0", "--host", "::1", "--data", "some/folder", "--store", "Memory"))
                .containsExactly(
                        Map.entry("quarkus.http.port", "0"),
                        Map.entry("quarkus.http.host", "::1"),
                        Map.entry("anabranch.store.type", "memory"),
                        Map.entry(
                                "anabranch.store.path",
                                Path.of("some/folder").toAbsolutePath().toString()));
        assertThat(properties(
                        "--store",
                        "postgresql",
                        "--url",
                        "jdbc:postgresql://db/lake",
                        "--user",
                        "anna",
                        "--password",
                        "secret",
                        "--password-file",
                        "some/file"))
                .containsExactly(
                        Map.entry("anabranch.store.type", "postgresql"),
                        Map.entry("anabranch.store.postgresql.url", "jdbc:postgresql://db/lake"),
                        Map.entry("anabranch.store.postgresql.user", "anna"),
                        Map.entry("anabranch.store.postgresql.password", "secret"),
                        Map.entry(
                                "anabranch.store.postgresql.password-file",
                                Path.of("some/file").toAbsolutePath().toString()));
    }

    @ParameterizedTest
    @CsvSource({"--port,x", "--port,-1", "--port,65536", "--store,rocks", "--bogus,1", "--data,''"})
    void wrongOptionsAreNamed(String option, String value) {
        assertThatThrownBy(() -> properties(option, value))
                .isInstanceOf(CommandLine.ParameterException.class)
                .hasMessageContaining(option);
    }
}
