package org.anabranch.api.secret;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The one rule by which secrets are read from files. */
class SecretFileTest {

    @TempDir
    private Path folder;

    private Path holding(byte[] bytes) throws IOException {
        return Files.write(folder.resolve("secret"), bytes);
    }

    private Path holding(String text) throws IOException {
        return holding(text.replace("N", "\n").replace("R", "\r").getBytes(StandardCharsets.UTF_8));
    }

    private void assertRefused(Path file, String reason) {
        assertThatThrownBy(() -> SecretFile.read("--password-file", file))
                .isInstanceOf(IllegalArgumentException.class)
                .hasNoCause()
                .hasMessageStartingWith("--password-file: " + file + " ")
                .hasMessageContaining(reason)
                .message()
                .doesNotContain("swordfish")
                .hasLineCount(1);
    }

    /** N and R stand for the two characters of line ends. */
    @ParameterizedTest
    @CsvSource(
            ignoreLeadingAndTrailingWhitespace = false,
            value = {
                "swordfish,swordfish",
                "swordfishN,swordfish",
                "swordfishRN,swordfish",
                " sword fish\t N, sword fish\t ",
                "schwertfisch-äöü-€N,schwertfisch-äöü-€"
            })
    void oneLineEndIsCutAndNothingElse(String text, String secret) throws IOException {
        assertThat(SecretFile.read("--password-file", holding(text))).isEqualTo(secret);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "N", "RN", " ", "NN", "\tN"})
    void anEmptyFileIsRefused(String text) throws IOException {
        assertRefused(holding(text), "is empty");
    }

    @ParameterizedTest
    @ValueSource(strings = {"swordfishNN", "swordfishNmore", "NswordfishN", "swordfishR", "swordfishRNRN"})
    void severalLinesAreRefused(String text) throws IOException {
        assertRefused(holding(text), "has several lines");
    }

    @Test
    void whatIsThereAndNoSuchFileIsNamed() throws IOException {
        assertRefused(folder.resolve("nothing"), "cannot be read (it is not there)");
        assertRefused(folder, "cannot be read (it is a folder)");
        Path loop = folder.resolve("loop");
        assertRefused(Files.createSymbolicLink(loop, loop), "cannot be read");
    }

    @Test
    void theFileOfSomebodyElseIsNamed() throws IOException {
        Path file = holding("swordfish");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("---------"));
        assumeFalse(Files.isReadable(file), "this user may read every file");
        assertRefused(file, "cannot be read (this user may not read it)");
    }

    @Test
    void moreThanTheLimitIsRefusedWithoutBeingRead() throws IOException {
        String longest = "x".repeat(SecretFile.MAX_BYTES - 1);
        assertThat(SecretFile.read("--password-file", holding(longest + "N"))).isEqualTo(longest);
        assertRefused(holding(longest + "yN"), "has more than 65536 bytes");
    }

    @Test
    void whatIsNoTextIsRefused() throws IOException {
        assertRefused(holding(new byte[] {'s', 'w', (byte) 0xff, 'd'}), "is no text in UTF-8");
    }
}
