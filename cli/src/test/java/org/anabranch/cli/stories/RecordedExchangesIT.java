package org.anabranch.cli.stories;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Exchanges recorded from the reference server, replayed topic by topic.
 *
 * <p>They are kept beside the project and not in it: without them every topic is skipped.
 */
class RecordedExchangesIT {

    @RegisterExtension
    static final RunningService SERVICE = new RunningService();

    private static final Path CONFORMANCE =
            Path.of(System.getProperty("anabranch.project", ""), "..", "shared", "conformance");

    @ParameterizedTest(name = "{0}")
    @ValueSource(
            strings = {
                "01-config",
                "02-references",
                "03-reference-listing",
                "04-ref-paths",
                "05-commits",
                "06-commit-conflicts",
                "07-commit-validation",
                "08-namespaces",
                "09-contents",
                "10-entries",
                "11-history",
                "12-diff",
                "13-merge",
                "14-merge-conflicts",
                "15-transplant",
                "16-errors",
                "17-recent-changes"
            })
    void areAnsweredAsRecorded(String topic) throws Exception {
        Path replay = CONFORMANCE.resolve("replay");
        assumeTrue(Files.isExecutable(replay), "../shared/conformance is not beside the project");

        Process process = new ProcessBuilder(
                        replay.toString(),
                        "--base",
                        SERVICE.api().toString(),
                        "--quiet",
                        CONFORMANCE.resolve("scenarios").resolve(topic).toString())
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(process.waitFor()).as(output).isZero();
        assertThat(output).containsPattern("[1-9][0-9]* passed, 0 failed");
    }
}
