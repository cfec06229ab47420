package org.anabranch.wiring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.smallrye.config.SmallRyeConfigBuilder;
import java.nio.file.Files;
import java.nio.file.Path;
import org.anabranch.store.StoreUnavailableException;
import org.anabranch.store.postgres.PostgresSettings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the configuration says of the database, and its password in a file. */
class DatabaseTest {

    @TempDir
    private Path folder;

    private static PostgresSettings settings(Path passwordFile) {
        AnabranchConfig config = new SmallRyeConfigBuilder()
                .addDiscoveredConverters()
                .withMapping(AnabranchConfig.class)
                .withDefaultValue("anabranch.store.path", "unused")
                .withDefaultValue("anabranch.store.postgresql.url", "jdbc:postgresql://127.0.0.1:1/lake")
                .withDefaultValue("anabranch.store.postgresql.password-file", passwordFile.toString())
                .build()
                .getConfigMapping(AnabranchConfig.class);
        return Database.settings(config.store().postgresql());
    }

    @Test
    void theFilesPasswordIsReadAnew() throws Exception {
        Path file = Files.writeString(folder.resolve("password"), "swordfish 1 \n");
        PostgresSettings settings = settings(file);
        assertThat(settings.password().get()).contains("swordfish 1 ");

        Files.writeString(file, "swordfish 2");
        assertThat(settings.password().get()).contains("swordfish 2");
    }

    @Test
    void aFileWithoutAPasswordKeepsTheServiceFromStarting() throws Exception {
        Path file = Files.writeString(folder.resolve("password"), "\n");
        assertThatThrownBy(() -> settings(file))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("anabranch.store.postgresql.password-file (--password-file): " + file
                        + " is empty, and must hold a secret");
        assertThatThrownBy(() -> settings(folder.resolve("nothing")))
                .hasMessageEndingWith("nothing cannot be read (it is not there)");
    }

    /** Whoever writes it anew may empty it first. */
    @Test
    void aFileThatIsBeingWrittenMakesCallsComeAgain() throws Exception {
        Path file = Files.writeString(folder.resolve("password"), "swordfish");
        PostgresSettings settings = settings(file);

        Files.writeString(file, "");
        assertThatThrownBy(settings.password()::get)
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("is empty");
        Files.writeString(file, "swordfish");
        assertThat(settings.password().get()).contains("swordfish");
    }
}
