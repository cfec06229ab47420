package org.anabranch.cli.gc.laws;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.anabranch.cli.service.ReferenceServer;
import org.anabranch.gc.run.Collector.Start;
import org.anabranch.gc.storage.LakeFileIO;
import org.anabranch.gc.storage.RequestRate;
import org.anabranch.gc.sweep.Reach;
import org.anabranch.gc.sweep.SweepOptions;
import org.anabranch.gc.sweep.SweepSummary;
import org.anabranch.gc.sweep.Warehouse;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The collector on a Nessie server of release 0.99.0 instead of our service: nothing live goes, and what is dead goes.
 *
 * <p>Needs the server's runner where {@code .ci/reference-server} puts it.
 */
class GcOnReferenceServerIT {

    private static final int STEPS = 60;
    private static final Duration GRACE = Duration.ofDays(3);

    @TempDir
    private Path folder;

    @Test
    void nothingLiveGoesAndWhatIsDeadGoes() throws Exception {
        Path warehouse = folder.resolve("warehouse");
        long seed = 1;
        try (ReferenceServer server = ReferenceServer.start(folder);
                RandomLake lake = new RandomLake(server.api(), warehouse, seed, Instant.now(), Duration.ofHours(1))) {
            lake.steps(STEPS);
            LiveRules rules = LiveRules.random(new Random(seed), LakeAudit.commits(lake.client()));
            TestCollector collector = new TestCollector(
                    server.api(),
                    new LakeFileIO(Map.of(), RequestRate.unlimited()),
                    TestCollector.scope(rules, folder.resolve("policies.yaml")),
                    folder.resolve("state"),
                    new SweepOptions(
                            List.of(new Warehouse(warehouse.toString())),
                            Reach.KNOWN_LOCATIONS,
                            GRACE,
                            GRACE,
                            Duration.ZERO,
                            10),
                    2,
                    lake::now);
            lake.pass(Duration.ofMinutes(1));
            LakeAudit audit = new LakeAudit(lake.client(), rules, lake.now());
            // What becomes too old for a cutoff between the two runs is in its grace period in the second.
            Set<Path> live = audit.liveFiles();
            collector.run(Start.NEW);
            lake.pass(GRACE.plusHours(1));
            audit.setNow(lake.now());
            live.addAll(audit.liveFiles());
            Set<Path> locations = audit.knownLocations();

            SweepSummary summary = collector.run(Start.NEW);

            assertThat(summary.amount(SweepSummary.Fate.DELETED).files()).isPositive();
            assertThat(audit.missing()).isEmpty();
            assertThat(audit.unreadable(lake.changes())).isEmpty();
            assertThat(LakeAudit.files(warehouse).stream()
                            .filter(file -> !live.contains(file))
                            .filter(file -> locations.stream().anyMatch(file::startsWith)))
                    .isEmpty();
        }
    }
}
