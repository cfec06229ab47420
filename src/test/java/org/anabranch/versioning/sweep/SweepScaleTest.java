package org.anabranch.versioning.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.stream.Stream;
import org.anabranch.scale.SmallHeap;
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
        String row = SmallHeap.run("128m", SweepScaleRun.class, STORE, commits, folder.toString());
        assertThat(row.split(",")).hasSameSizeAs(SweepScaleRun.COLUMNS.split(","));
        System.out.println(SweepScaleRun.COLUMNS + "\n" + row);
    }
}
