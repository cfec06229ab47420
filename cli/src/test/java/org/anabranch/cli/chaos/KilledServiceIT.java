package org.anabranch.cli.chaos;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.anabranch.cli.service.ServiceProcess;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A service on the embedded store is killed under load and started again, and every answer it gave is held against it. */
class KilledServiceIT {

    @TempDir
    private Path folder;

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = 1)
    void everyAnswerHolds(long seed) throws Exception {
        Random random = new Random(seed);
        try (ServiceProcess service = ServiceProcess.start(folder);
                Load load = new Load(List.of(service.api())).start(seed, 8)) {
            for (int round = 0; round < Rounds.COUNT; round++) {
                Rounds.await(() -> load.acknowledged() > 0, Duration.ofMinutes(1), "an acknowledged change");
                int enough = load.acknowledged() + 100 + random.nextInt(300);
                Rounds.await(
                        () -> load.acknowledged() >= enough, Duration.ofMinutes(1), enough + " acknowledged changes");
                service.kill();
                service.restart();
            }
            load.stopAndCheck(service.api());
        }
    }
}
