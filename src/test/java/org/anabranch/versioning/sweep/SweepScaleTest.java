package org.anabranch.versioning.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A store of many commits is swept within a heap of 128 MB.
 *
 * <p>Measures with {@code -Dsweep.scale=10000,100000,1000000}, and {@code -Dsweep.scale.store=postgresql} for the other store.
 */
class SweepScaleTest {

    private static final String STORE = System.getProperty("sweep.scale.store", "embedded");

    @TempDir
    private Path folder;

    static Stream<String> commits() {
        return Stream.of(System.getProperty("sweep.scale", "4000").split(","));
    }

    /** In a JVM of its own, which fails unless exactly the half goes that no reference leads to. */
    @ParameterizedTest(name = "{0} commits")
    @MethodSource("commits")
    void manyCommitsFitIntoASmallHeap(String commits) throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx128m",
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        SweepScaleRun.class.getName(),
                        STORE,
                        commits,
                        folder.toString())
                .redirectErrorStream(true)
                .start();
        try (BufferedReader output = process.inputReader()) {
            List<String> lines = output.lines().toList();
            assertThat(process.waitFor()).as(String.join("\n", lines)).isZero();
            assertThat(lines.getLast().split(",")).hasSameSizeAs(SweepScaleRun.COLUMNS.split(","));
            System.out.println(SweepScaleRun.COLUMNS + "\n" + lines.getLast());
        } finally {
            process.destroyForcibly();
        }
    }
}
