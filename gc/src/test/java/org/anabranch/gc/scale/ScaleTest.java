package org.anabranch.gc.scale;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.anabranch.scale.SmallHeap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Large lakes are collected exactly within a heap of 512 MB.
 *
 * <p>With {@code -Dgc.scale=full} up to a million live files and 300,000 orphans, and 50,000 files on the disk; rows and plot then go to
 * {@code target/gc-scale}.
 */
class ScaleTest {

    private static final boolean FULL = System.getProperty("gc.scale", "").equals("full");
    private static final List<Integer> GENERATED =
            FULL ? List.of(10_000, 30_000, 100_000, 300_000, 1_000_000) : List.of(20_000);
    private static final List<Integer> ON_DISK = FULL ? List.of(5_000, 15_000, 35_000) : List.of(2_000);
    private static final Path RESULTS = Path.of("target", "gc-scale");

    @TempDir
    private Path folder;

    @Test
    void largeLakesFitIntoASmallHeap() throws Exception {
        List<String> rows = new ArrayList<>();
        for (int live : GENERATED) {
            rows.add(collect("generated", live, live * 3 / 10));
        }
        for (int live : ON_DISK) {
            rows.add(collect("disk", live, live * 3 / 7));
        }
        assertThat(rows).allSatisfy(row -> assertThat(row.split(",")).hasSameSizeAs(ScaleRun.COLUMNS.split(",")));
        if (FULL) {
            Files.createDirectories(RESULTS);
            Files.writeString(RESULTS.resolve("rows.csv"), ScaleRun.COLUMNS + "\n" + String.join("\n", rows) + "\n");
            Files.writeString(RESULTS.resolve("plot.svg"), ScalePlot.draw(rows));
        }
    }

    /** Collects a lake in a JVM of its own, which fails unless exactly the orphans are gone. */
    private String collect(String lake, int live, int orphans) throws Exception {
        Path work = Files.createDirectory(folder.resolve(lake + live));
        String row = SmallHeap.run(
                "512m", ScaleRun.class, lake, Integer.toString(live), Integer.toString(orphans), work.toString());
        delete(work);
        System.out.println(row);
        return row;
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> paths = Files.walk(folder)) {
            for (Path path : paths.sorted((a, b) -> b.compareTo(a)).toList()) {
                Files.delete(path);
            }
        }
    }
}
