package org.anabranch.wiring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
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

    /** A property of the tests chooses the memory. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            --url jdbc:postgresql://db/lake --password-file f | --url, --password-file are for the store 'postgresql', and the one in \
            force is 'memory' (anabranch.store.type): choose --store postgresql, or leave them out
            --data some/folder --store postgresql | --data is for the store 'embedded', and the one in force is 'postgresql' \
            (anabranch.store.type): choose --store embedded, or leave it out
            --data some/folder --store Memory | --data is for the store 'embedded'
            --store memory --user anna | --user is for the store 'postgresql', and the one in force is 'memory'
            --store embedded --password secret | --password is for the store 'postgresql'
            """)
    void optionsOfAnotherStoreAreNotIgnored(String args, String sentence) {
        ServeOptions options = new ServeOptions();
        Main.commandLine(options).parseArgs(args.split(" "));

        assertThatThrownBy(options::requireUse)
                .isInstanceOf(CommandFailedException.class)
                .hasMessageStartingWith(sentence)
                .message()
                .doesNotContain("jdbc", "secret", "anna");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "--store memory",
                "--store embedded --data some/folder",
                "--store postgresql --url jdbc:postgresql://db/lake --user anna --password secret"
            })
    void optionsOfTheStoreInForceAreTaken(String args) {
        ServeOptions options = new ServeOptions();
        Main.commandLine(options).parseArgs(args.isEmpty() ? new String[0] : args.split(" "));

        assertThatCode(options::requireUse).doesNotThrowAnyException();
    }

    /** The environment and files may choose the store, and hold settings of others. */
    @Test
    void aPropertyMayChooseTheStoreThatOptionsAreOf() {
        String before = System.setProperty("anabranch.store.type", "postgresql");
        System.setProperty("anabranch.store.path", "left/over");
        try {
            ServeOptions options = new ServeOptions();
            Main.commandLine(options).parseArgs("--url", "jdbc:postgresql://db/lake");
            assertThatCode(options::requireUse).doesNotThrowAnyException();

            ServeOptions data = new ServeOptions();
            Main.commandLine(data).parseArgs("--data", "some/folder");
            assertThatThrownBy(data::requireUse).hasMessageContaining("the one in force is 'postgresql'");
        } finally {
            System.setProperty("anabranch.store.type", before);
            System.clearProperty("anabranch.store.path");
        }
    }

    @ParameterizedTest
    @CsvSource({"--port,x", "--port,-1", "--port,65536", "--store,rocks", "--bogus,1", "--data,''"})
    void wrongOptionsAreNamed(String option, String value) {
        assertThatThrownBy(() -> properties(option, value))
                .isInstanceOf(CommandLine.ParameterException.class)
                .hasMessageContaining(option);
    }
}
