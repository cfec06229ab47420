package org.anabranch.wiring;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.anabranch.model.CommitId;
import org.anabranch.model.CommitOutcome;
import org.anabranch.model.Conflict;
import org.anabranch.model.ConflictType;
import org.anabranch.model.ContentKey;
import org.anabranch.model.ErrorCode;
import org.anabranch.model.HeadKeptMoving;
import org.anabranch.model.MergeOutcome;
import org.anabranch.model.OutcomeUndecided;
import org.anabranch.model.RefusedException;
import org.anabranch.rest.RefusalListener.Reason;
import org.anabranch.rest.SlowRequests;
import org.anabranch.store.StoreUnavailableException;
import org.anabranch.versioning.commit.WriteListener;
import org.anabranch.versioning.commit.WriteResult;
import org.anabranch.versioning.commit.WriteTimes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** How each ending of a write is counted. */
class WriteMetricsTest {

    private static final WriteTimes TIMES = new WriteTimes(
            TimeUnit.MILLISECONDS.toNanos(70), TimeUnit.MILLISECONDS.toNanos(20), TimeUnit.MILLISECONDS.toNanos(10), 3);
    private static final ContentKey KEY = ContentKey.of("a");

    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final Refusals refusals = new Refusals(meters);
    private final WriteMetrics metrics = new WriteMetrics(
            meters,
            refusals,
            new SlowRequests(new SlowRequests.Limit(Duration.ofSeconds(1), System::nanoTime)),
            Traces.OFF);

    private long endings(String ending) {
        return meters.get("anabranch.write").tag("ending", ending).timer().count();
    }

    private double refusals(String reason) {
        return meters.get("anabranch.refusals").tag("reason", reason).counter().count();
    }

    static Stream<Arguments> results() {
        MergeOutcome.Report report =
                new MergeOutcome.Report("main", CommitId.NO_ANCESTOR, CommitId.NO_ANCESTOR, null, List.of());
        return Stream.of(
                Arguments.of(
                        new WriteResult.Answered<>(
                                new CommitOutcome.Committed("main", CommitId.NO_ANCESTOR, new TreeMap<>())),
                        "applied"),
                Arguments.of(
                        new WriteResult.Answered<>(new MergeOutcome.Merged(report, CommitId.NO_ANCESTOR)), "applied"),
                Arguments.of(new WriteResult.Answered<>(new MergeOutcome.NothingToDo(report)), "unchanged"),
                Arguments.of(new WriteResult.Answered<>(new MergeOutcome.Conflicted(report)), "conflicted"),
                Arguments.of(new WriteResult.GaveUp<>(new HeadKeptMoving("main", CommitId.NO_ANCESTOR, 3)), "gave_up"),
                Arguments.of(
                        new WriteResult.Undecided<>(new OutcomeUndecided("main", CommitId.NO_ANCESTOR)), "undecided"),
                Arguments.of(new WriteResult.Repeated<>(), "repeated"));
    }

    @ParameterizedTest(name = "{1}")
    @MethodSource("results")
    void anEndingIsCountedWithItsTimes(WriteResult<?> result, String ending) {
        WriteListener.Underway write = metrics.begun("main");
        assertThat(meters.get("anabranch.writes.active").gauge().value()).isEqualTo(1);
        write.ended(TIMES, result);

        assertThat(endings(ending)).isEqualTo(1);
        assertThat(meters.get("anabranch.write").tag("ending", ending).timer().totalTime(TimeUnit.MILLISECONDS))
                .isEqualTo(100);
        assertThat(meters.get("anabranch.write.wait").timer().totalTime(TimeUnit.MILLISECONDS))
                .isEqualTo(70);
        assertThat(meters.get("anabranch.write.judging").timer().totalTime(TimeUnit.MILLISECONDS))
                .isEqualTo(20);
        assertThat(meters.get("anabranch.write.attempts").counter().count()).isEqualTo(3);
        assertThat(meters.get("anabranch.writes.active").gauge().value()).isZero();
    }

    static Stream<Arguments> failures() {
        return Stream.of(
                Arguments.of(RefusedException.of(ErrorCode.TOO_MANY_REQUESTS, "full"), "crowded", "branch_queue"),
                Arguments.of(RefusedException.of(ErrorCode.SERVICE_UNAVAILABLE, "late"), "crowded", "branch_time"),
                Arguments.of(RefusedException.badRequest("wrong"), "refused", null),
                Arguments.of(new StoreUnavailableException("away", null), "failed", null),
                Arguments.of(new OutOfMemoryError("a defect"), "failed", null));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("failures")
    void aFailureIsCountedByWhoseItIs(Throwable failure, String ending, String reason) {
        metrics.begun("main").failed(TIMES, failure);

        assertThat(endings(ending)).isEqualTo(1);
        assertThat(refusals("branch_queue") + refusals("branch_time")).isEqualTo(reason == null ? 0 : 1);
        if (reason != null) {
            assertThat(refusals(reason)).isEqualTo(1);
        }
    }

    @Test
    void conflictsAreCountedByType() {
        metrics.begun("main")
                .ended(
                        TIMES,
                        new WriteResult.Answered<>(new CommitOutcome.Conflicted(List.of(
                                Conflict.of(ConflictType.KEY_EXISTS, KEY),
                                Conflict.of(ConflictType.KEY_EXISTS, ContentKey.of("b")),
                                Conflict.of(ConflictType.VALUE_DIFFERS, KEY)))));

        assertThat(meters.get("anabranch.conflicts")
                        .tag("type", "key_exists")
                        .counter()
                        .count())
                .isEqualTo(2);
        assertThat(meters.get("anabranch.conflicts")
                        .tag("type", "value_differs")
                        .counter()
                        .count())
                .isEqualTo(1);
    }

    @Test
    void aBatchIsCountedWithWhatIsInIt() {
        metrics.published(3, 7, 2_000);

        assertThat(meters.get("anabranch.batch.changes").summary().totalAmount())
                .isEqualTo(3);
        assertThat(meters.get("anabranch.batch.commits").summary().totalAmount())
                .isEqualTo(7);
        assertThat(meters.get("anabranch.batch.size").summary().totalAmount()).isEqualTo(2_000);
    }

    @Test
    void refusalsAtTheDoorAreCountedBesideThem() {
        refusals.refused(Reason.BODIES);

        assertThat(refusals("bodies")).isEqualTo(1);
    }
}
