package org.anabranch.cli.gc.laws;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.LongStream;
import org.anabranch.cli.gc.laws.FaultyGateway.Fate;
import org.anabranch.cli.service.ServiceProcess;
import org.anabranch.gc.CatalogUnreadableException;
import org.anabranch.gc.run.Collector.Start;
import org.anabranch.gc.state.Runs.Run;
import org.anabranch.gc.storage.LakeFileIO;
import org.anabranch.gc.storage.RequestRate;
import org.anabranch.gc.sweep.LeftAlone;
import org.anabranch.gc.sweep.Reach;
import org.anabranch.gc.sweep.SweepOptions;
import org.anabranch.gc.sweep.SweepSummary;
import org.anabranch.gc.sweep.Warehouse;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Garbage collection is never wrong: on random lakes, under random cutoffs, while others commit and requests and storage fail, every file
 * that a live commit needs stays and can be read, and in the end everything else that is old enough is gone.
 */
class GcLawsIT {

    private static final int ROUNDS = 5;
    private static final int STEPS_PER_ROUND = 12;
    private static final int MAX_ATTEMPTS = 20;
    private static final int STORAGE_FAILS_ONE_IN = 30;
    private static final int REQUESTS_FAIL_ONE_IN = 4;
    /** A mark asks at least so often: for what it may see before and after, for the references and the default branch. */
    private static final int REQUESTS_OF_A_MARK = 4;
    /** A run that is expanded asks at least so often: for what it may see, at its beginning and before it sweeps. */
    private static final int REQUESTS_OF_A_SWEEP = 2;

    private static final int STEP_BEFORE_ONE_REQUEST_IN = 6;
    private static final Duration GRACE = Duration.ofHours(30);
    private static final Duration SAFETY_AGE = Duration.ofHours(20);
    private static final Duration CLOCK_MARGIN = Duration.ofMinutes(10);

    /** What becomes of the collector's requests. */
    private enum Faults {
        NONE,
        /** One request fails. */
        ONE,
        /** Requests fail, and others do something in between. */
        RANDOM
    }

    @TempDir
    private Path folder;

    /** For everything but the steps of the lake, which have their own. */
    private Random random;

    private RandomLake lake;
    private LakeAudit audit;
    private TestCollector collector;
    private Reach reach = Reach.KNOWN_LOCATIONS;
    private Faults faults = Faults.NONE;
    private int deleted;
    private int failures;
    private int failedRequests;
    private int requestsUntilBrokenOff;
    private int runsGoneOnWith;
    private @Nullable Exception failedStep;
    private final Map<Path, Instant> lastFoundLive = new HashMap<>();

    /** And those that draw what few do: pins and recorded snapshots, recorded snapshots and the whole warehouse. */
    static LongStream seeds() {
        return LongStream.concat(Seeds.some(), LongStream.of(7, 10)).distinct();
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void nothingLiveGoesAndWhatIsDeadGoesInTheEnd(long seed) throws Exception {
        random = new Random(seed);
        Path warehouse = folder.resolve("warehouse");
        try (ServiceProcess service = ServiceProcess.start(folder);
                FaultyGateway gateway = new FaultyGateway(service.api(), this::fate);
                RandomLake random =
                        new RandomLake(service.api(), warehouse, seed, Instant.now(), SAFETY_AGE.minusHours(1))) {
            lake = random;
            lake.steps(STEPS_PER_ROUND);
            LiveRules rules = LiveRules.random(this.random, LakeAudit.commits(lake.client()));
            reach = this.random.nextInt(3) == 0 ? Reach.WHOLE_WAREHOUSE : Reach.KNOWN_LOCATIONS;
            audit = new LakeAudit(lake.client(), rules, lake.now());
            lake.heed(audit);
            FaultyStorage storage = new FaultyStorage(
                    new LakeFileIO(Map.of(), RequestRate.unlimited()), this.random, STORAGE_FAILS_ONE_IN);
            collector = new TestCollector(
                    gateway.api(),
                    storage,
                    TestCollector.scope(rules, folder.resolve("policies.yaml")),
                    folder.resolve("state"),
                    new SweepOptions(
                            List.of(new Warehouse(warehouse.toString())),
                            reach,
                            GRACE,
                            SAFETY_AGE,
                            CLOCK_MARGIN,
                            1 + this.random.nextInt(20)),
                    1 + this.random.nextInt(3),
                    () -> lake.now());
            for (int round = 0; round < ROUNDS; round++) {
                lake.steps(STEPS_PER_ROUND);
                faults = Faults.RANDOM;
                collectUnderFire();
                faults = Faults.NONE;
                pass(Duration.ofHours(this.random.nextInt(40)));
            }
            storage.heal();
            assertThatDamageIsLeftAlone();
            assertThatNothingDeadStays();
            assertThat(failedRequests).as("requests that failed").isPositive();
            assertThat(storage.faults())
                    .as("operations of the storage that failed")
                    .isPositive();
            assertThat(failures).as("calls of the collector that failed").isPositive();
            assertThat(runsGoneOnWith)
                    .as("runs that were broken off and gone on with")
                    .isPositive();
            assertThat(audit.unreadable(lake.changes())).as(story()).isEmpty();
            System.out.printf(
                    "seed %d: %d files deleted while %d requests, %d operations of the storage and %d calls of the collector"
                            + " failed; %d runs were gone on with; %d files stay after %d steps, %s, %s%n",
                    seed,
                    deleted,
                    failedRequests,
                    storage.faults(),
                    failures,
                    runsGoneOnWith,
                    LakeAudit.files(warehouse).size(),
                    lake.history().size(),
                    reach,
                    rules);
        }
    }

    /** Collects while requests and storage fail and others commit; is broken off early, goes on, and perhaps comes to no end. */
    private void collectUnderFire() throws Exception {
        Start start = random.nextBoolean() ? Start.NEW : Start.RESUME;
        requestsUntilBrokenOff = random.nextInt(REQUESTS_OF_A_MARK);
        long brokenOff = 0;
        for (int attempt = 0; attempt < MAX_ATTEMPTS && (attempt == 0 || random.nextInt(6) > 0); attempt++) {
            Set<Path> before = audit.liveFiles();
            try {
                Run run = collector.mark(start);
                runsGoneOnWith += run.id() == brokenOff ? 1 : 0;
                start = Start.RESUME;
                if (run.expandedAt() == null) {
                    before.retainAll(audit.liveFiles());
                    collector.expand();
                    before.forEach(file -> lastFoundLive.put(file, lake.now()));
                }
                if (random.nextInt(6) > 0) {
                    sweep(run);
                }
                return;
            } catch (CatalogUnreadableException | UncheckedIOException injected) {
                failures++;
                start = Start.RESUME;
                brokenOff = collector.latest().map(Run::id).orElse(0L);
            } finally {
                assertThatNothingLiveIsMissing();
            }
        }
    }

    private SweepSummary sweep(Run run) throws Exception {
        Set<Path> before = LakeAudit.files(lake.client().warehouse());
        try {
            return collector.run(Start.RESUME);
        } finally {
            before.removeAll(LakeAudit.files(lake.client().warehouse()));
            deleted += before.size();
            for (Path gone : before) {
                assertThat(Duration.between(lastFoundLive.getOrDefault(gone, Instant.EPOCH), run.startedAt()))
                        .as("%s is gone, and was live so long before%n%s", gone, story())
                        .isGreaterThanOrEqualTo(GRACE);
            }
        }
    }

    private void assertThatNothingLiveIsMissing() throws Exception {
        if (failedStep != null) {
            throw new AssertionError("a step failed\n" + story(), failedStep);
        }
        assertThat(audit.missing()).as(story()).isEmpty();
    }

    /** A manifest or manifest list that is gone ends no run, and makes all folders untouchable whose contents need it. */
    private void assertThatDamageIsLeftAlone() throws Exception {
        List<Path> indexFiles = audit.liveFiles().stream()
                .filter(file -> file.getFileName().toString().matches("(snap-.*|.*-m[0-9]+)\\.avro"))
                .sorted()
                .toList();
        Path taken = indexFiles.get(random.nextInt(indexFiles.size()));
        Set<Path> untouchable = audit.locationsThatNeed(taken);
        Path aside = Files.move(taken, folder.resolve("aside"));
        Set<Path> gone = LakeAudit.files(lake.client().warehouse());

        SweepSummary summary = collector.run(Start.NEW);

        assertThat(summary.leftAlone()).extracting(LeftAlone::cause).contains(LeftAlone.Cause.UNTOUCHABLE);
        gone.removeAll(LakeAudit.files(lake.client().warehouse()));
        deleted += gone.size();
        assertThat(gone)
                .as("without %s%n%s", taken, story())
                .noneMatch(file -> untouchable.stream().anyMatch(file::startsWith));
        Files.move(aside, taken);
        assertThatNothingLiveIsMissing();
    }

    /** One run finds what is dead, the next one deletes it when all periods are over, and a third one finds nothing to do. */
    private void assertThatNothingDeadStays() throws Exception {
        // What is too old for a cutoff in the second run only is in its grace period then.
        Set<Path> live = audit.liveFiles();
        // Of files that are written while a run is under way only the next one judges.
        pass(CLOCK_MARGIN.plusMinutes(1));
        collector.run(Start.NEW);
        assertThatNothingLiveIsMissing();
        pass(GRACE.plus(SAFETY_AGE).plus(CLOCK_MARGIN).plusHours(1));
        live.addAll(audit.liveFiles());
        Set<Path> locations =
                reach == Reach.WHOLE_WAREHOUSE ? Set.of(lake.client().warehouse()) : audit.knownLocations();
        assertThatARunThatIsBrokenOffIsGoneOnWith();

        SweepSummary second = collector.run(Start.RESUME);
        deleted += (int) second.amount(SweepSummary.Fate.DELETED).files();

        assertThatNothingLiveIsMissing();
        assertThat(second.leftAlone())
                .as(story())
                .extracting(LeftAlone::cause)
                .allMatch(cause -> cause == LeftAlone.Cause.LINKED);
        Set<Path> left = LakeAudit.files(lake.client().warehouse());
        assertThat(left.stream()
                        .filter(file -> !live.contains(file))
                        .filter(file -> locations.stream().anyMatch(file::startsWith)))
                .as(story())
                .isEmpty();
        assertThat(collector.run(Start.NEW).amount(SweepSummary.Fate.DELETED).files())
                .as("files that the same run, done twice, deletes%n%s", story())
                .isZero();
        assertThat(LakeAudit.files(lake.client().warehouse())).isEqualTo(left);
    }

    /** Begins a run that is broken off as it marks, and again before it deletes; the rest of it is left to the next call. */
    private void assertThatARunThatIsBrokenOffIsGoneOnWith() {
        // The run begins after its first request.
        breakOff(1 + random.nextInt(REQUESTS_OF_A_MARK - 1), () -> collector.run(Start.NEW));
        long begun = collector.latest().orElseThrow().id();
        Run expanded = collector.expand();
        assertThat(expanded.id()).isEqualTo(begun);
        breakOff(random.nextInt(REQUESTS_OF_A_SWEEP), () -> collector.run(Start.RESUME));
        assertThat(collector.latest()).contains(expanded);
        runsGoneOnWith++;
    }

    /** @param requests after which the next one of the call fails */
    private void breakOff(int requests, ThrowingCallable call) {
        requestsUntilBrokenOff = requests;
        faults = Faults.ONE;
        assertThatThrownBy(call).isInstanceOf(CatalogUnreadableException.class);
        faults = Faults.NONE;
        failures++;
    }

    private void pass(Duration duration) {
        lake.pass(duration);
        audit.setNow(lake.now());
    }

    /** Before each request of the collector: others may do something, and it may fail. */
    private Fate fate() {
        Fate fate =
                switch (faults) {
                    case NONE -> Fate.ANSWERED;
                    case ONE -> requestsUntilBrokenOff-- == 0 ? Fate.FAILED : Fate.ANSWERED;
                    case RANDOM -> randomFate();
                };
        failedRequests += fate == Fate.ANSWERED ? 0 : 1;
        return fate;
    }

    private Fate randomFate() {
        if (random.nextInt(STEP_BEFORE_ONE_REQUEST_IN) == 0) {
            try {
                lake.step();
            } catch (Exception e) {
                failedStep = e;
            }
        }
        if (requestsUntilBrokenOff-- == 0) {
            return Fate.FAILED;
        }
        return random.nextInt(REQUESTS_FAIL_ONE_IN) == 0
                ? Fate.values()[random.nextInt(Fate.values().length)]
                : Fate.ANSWERED;
    }

    private String story() {
        return String.join("\n", lake.history());
    }
}
