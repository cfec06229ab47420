package org.anabranch.cli.gc.laws;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.anabranch.api.client.ApiClient;
import org.anabranch.api.client.ApiOptions;
import org.anabranch.api.client.Pace;
import org.anabranch.cli.gc.laws.FaultyGateway.Fate;
import org.anabranch.cli.service.ServiceProcess;
import org.anabranch.gc.CatalogUnreadableException;
import org.anabranch.gc.Progress;
import org.anabranch.gc.Workers;
import org.anabranch.gc.api.ApiCatalogSource;
import org.anabranch.gc.mark.Mark;
import org.anabranch.gc.run.Scope;
import org.anabranch.gc.state.StateFolder;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a mark finds live on random histories under random cutoffs is what the audit finds, also when requests fail on the way. */
class MarkLawsIT {

    private static final int ROUNDS = 4;
    private static final int STEPS_PER_ROUND = 12;
    private static final int MARKS_PER_ROUND = 3;

    @TempDir
    private Path folder;

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("org.anabranch.cli.gc.laws.Seeds#some")
    void marksWhatTheAuditFinds(long seed) throws Exception {
        Random random = new Random(seed);
        try (ServiceProcess service = ServiceProcess.start(folder);
                RandomLake lake = new RandomLake(
                        service.api(), folder.resolve("warehouse"), seed, Instant.now(), Duration.ofDays(1));
                FaultyGateway gateway = new FaultyGateway(service.api(), () -> fate(random))) {
            for (int round = 0; round < ROUNDS; round++) {
                lake.steps(STEPS_PER_ROUND);
                lake.pass(Duration.ofHours(20));
                for (int mark = 0; mark < MARKS_PER_ROUND; mark++) {
                    LiveRules rules = LiveRules.random(random, LakeAudit.commits(lake.client()));
                    LakeAudit audit = new LakeAudit(lake.client(), rules, lake.now());
                    // One state folder knows earlier commits already, the other one does not.
                    Path state = folder.resolve(mark == 0 ? "state" : "state-" + round + "-" + mark);
                    assertThat(marked(gateway.api(), state, rules, lake.now()))
                            .as("%s after %s", rules, lake.history())
                            .isEqualTo(audit.liveMetadata());
                }
            }
        }
    }

    private static Fate fate(Random random) {
        return switch (random.nextInt(40)) {
            case 0 -> Fate.REFUSED;
            case 1 -> Fate.FAILED;
            case 2 -> Fate.CUT;
            case 3 -> Fate.TRUNCATED;
            default -> Fate.ANSWERED;
        };
    }

    /** Marks until no request fails on the way. */
    private Set<String> marked(URI api, Path folder, LiveRules rules, Instant now) throws Exception {
        Scope scope = TestCollector.scope(rules, this.folder.resolve("policies.yaml"));
        ApiClient client = new ApiClient(ApiOptions.of(api), new NoPace(), () -> now);
        ApiCatalogSource catalog = new ApiCatalogSource(client);
        try (StateFolder state = StateFolder.open(folder, "the only one");
                Workers workers = new Workers(3)) {
            state.runs().begin(now, scope.toString());
            Mark mark = new Mark(
                    catalog,
                    state.commitLog(),
                    state.liveSet(),
                    workers,
                    Progress.NONE,
                    scope.policies(),
                    scope.pins(),
                    now);
            while (true) {
                try {
                    mark.markAll();
                    break;
                } catch (CatalogUnreadableException injected) {
                    // Once more, with what was read so far.
                }
            }
            return state.liveSet().unexpanded(Integer.MAX_VALUE).stream()
                    .map(live -> live.pointer().metadataLocation())
                    .collect(Collectors.toSet());
        }
    }

    private static final class NoPace implements Pace {
        @Override
        public long nanos() {
            return 0;
        }

        @Override
        public void pause(Duration duration) {
            // There is nothing to wait for.
        }
    }
}
