package org.anabranch.wiring;

import static org.assertj.core.api.Assertions.assertThat;

import io.quarkus.runtime.QuarkusBindException;
import io.smallrye.config.ConfigValidationException;
import io.smallrye.config.ConfigValidationException.Problem;
import java.io.IOException;
import java.net.BindException;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.anabranch.store.embedded.EmbeddedStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StartFailureTest {

    private static String sentence(Throwable cause) {
        return StartFailure.sentence(new IllegalStateException("Failed to start", cause));
    }

    @Test
    void portsInUseAreNamedWithTheOption() {
        assertThat(sentence(new QuarkusBindException("127.0.0.1", 19120, new BindException("Address already in use"))))
                .contains("port 19120 of 127.0.0.1 is in use")
                .contains("--port");
        assertThat(sentence(new BindException("Address already in use")))
                .contains("management port, 9000 of 127.0.0.1, is in use")
                .contains("-Dquarkus.management.port");
    }

    @Test
    void portsThatCannotBeOpenedForAnotherReasonAreNotSaidToBeInUse() {
        assertThat(sentence(
                        new QuarkusBindException("10.9.8.7", -1, new BindException("Cannot assign requested address"))))
                .startsWith("a port of 10.9.8.7 cannot be opened (Cannot assign requested address)")
                .contains("--host");
        assertThat(sentence(new BindException("Permission denied")))
                .contains("cannot be opened (Permission denied)")
                .contains("-Dquarkus.management.host");
    }

    @Test
    void unknownHostsAreNamedWithTheOption() {
        assertThat(sentence(new UnknownHostException("nowhere: Name or service not known")))
                .startsWith("'nowhere'")
                .contains("--host");
    }

    @Test
    void unusableFoldersAreNamed(@TempDir Path folder) throws IOException {
        Path file = Files.createFile(folder.resolve("file"));
        try (EmbeddedStore store = EmbeddedStore.open(file)) {
            throw new AssertionError("Opened " + store);
        } catch (RuntimeException e) {
            assertThat(sentence(e)).contains(file.toString()).doesNotContain("could not start");
        }
    }

    @Test
    void filesThatAreNotThereAreNamed() {
        assertThat(sentence(new NoSuchFileException("/etc/tls.crt")))
                .isEqualTo("/etc/tls.crt cannot be read (it is not there): check the property that names it");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    anabranch.cache.sise in SysPropConfigSource does not map to any root \
                    | there is no property anabranch.cache.sise; docs/configuration.md lists them all
                    java.util.NoSuchElementException: SRCFG00040: The config property anabranch.store.path is defined as the empty String ("") which X \
                    | anabranch.store.path has no value
                    java.lang.IllegalArgumentException: SRCFG00039: The config property quarkus.http.port with the config value "x" \
                    threw an Exception whilst being converted SRCFG00029: Expected an integer value, got "x" \
                    | quarkus.http.port cannot be "x": Expected an integer value, got "x"
                    SRCFG00014: something else | something else
                    """)
    void wrongPropertiesAreNamed(String problem, String sentence) {
        assertThat(sentence(new ConfigValidationException(new Problem[] {new Problem(problem)})))
                .isEqualTo(sentence);
    }

    @Test
    void anythingElseSaysItsRootCause() {
        assertThat(sentence(new IllegalStateException("The repository has format version 9")))
                .isEqualTo("the service could not start: The repository has format version 9");
    }
}
