package org.anabranch.cli.gc.laws;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.anabranch.cli.service.ServiceProcess;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The fixtures themselves: random lakes are whole, and the audit misses no file that is taken away. */
class RandomLakeIT {

    private static final int STEPS = 60;
    private static final int FILES_TAKEN = 50;
    private static final int FILES_TAKEN_FROM_READERS = 3;

    @TempDir
    private Path folder;

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("org.anabranch.cli.gc.laws.Seeds#some")
    void theAuditMissesNoFile(long seed) throws Exception {
        Path warehouse = folder.toRealPath().resolve("warehouse");
        Instant start = Instant.parse("2026-01-01T00:00:00Z");
        try (ServiceProcess service = ServiceProcess.start(folder);
                RandomLake lake = new RandomLake(service.api(), warehouse, seed, start, Duration.ofDays(1))) {
            lake.steps(STEPS);
            LakeAudit audit = new LakeAudit(lake.client(), LiveRules.of(Cutoffs.NONE), start);
            assertThat(audit.missing()).isEmpty();
            assertThat(audit.unreadable(lake.changes()))
                    .as(String.join("\n", lake.history()))
                    .isEmpty();

            Set<Path> files = LakeAudit.files(warehouse);
            List<Path> live = new ArrayList<>();
            for (Path file : new TreeSet<>(audit.liveFiles())) {
                Path real = file.toRealPath();
                if (real.startsWith(warehouse)) {
                    assertThat(files).contains(real);
                    live.add(file);
                }
            }
            assertThat(files).as("there are orphans").anyMatch(file -> !live.contains(file));
            Random random = new Random(seed);
            for (int i = 0; i < FILES_TAKEN; i++) {
                Path taken = live.get(random.nextInt(live.size()));
                Path aside = Files.move(taken, folder.resolve("aside"));
                assertThat(audit.missing()).as("without " + taken).isNotEmpty();
                Files.move(aside, taken);
            }
            List<Path> read = live.stream()
                    .filter(file ->
                            file.toString().endsWith(".avro") && file.toString().contains("/rows-"))
                    .toList();
            for (int i = 0; i < FILES_TAKEN_FROM_READERS; i++) {
                Path taken = read.get(random.nextInt(read.size()));
                Path aside = Files.move(taken, folder.resolve("aside"));
                assertThat(audit.unreadable(lake.changes()))
                        .as("without " + taken)
                        .isNotEmpty();
                Files.move(aside, taken);
            }
            assertThat(audit.missing()).isEmpty();
        }
    }
}
