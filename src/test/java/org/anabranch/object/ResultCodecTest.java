package org.anabranch.object;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Stream;
import org.anabranch.model.AppliedResult;
import org.anabranch.model.CommitId;
import org.anabranch.model.CommitOutcome.Committed;
import org.anabranch.model.ContentId;
import org.anabranch.model.ContentKey;
import org.anabranch.model.MergeMode;
import org.anabranch.model.MergeOutcome.KeyResult;
import org.anabranch.model.MergeOutcome.Merged;
import org.anabranch.model.MergeOutcome.Report;
import org.anabranch.model.Reference;
import org.anabranch.model.ReferenceChanged;
import org.anabranch.model.ReferenceKind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Kept answers come back as they were. */
class ResultCodecTest {

    private static final CommitId HASH = CommitId.parse("ab".repeat(32));

    static Stream<AppliedResult> results() {
        ContentId id = new ContentId(UUID.fromString("01234567-89ab-cdef-0123-456789abcdef"));
        Report report = new Report(
                "dév",
                HASH,
                CommitId.NO_ANCESTOR,
                HASH,
                List.of(
                        new KeyResult(ContentKey.of("a"), MergeMode.NORMAL, null),
                        new KeyResult(ContentKey.of("a", "b"), MergeMode.FORCE, null),
                        new KeyResult(ContentKey.of("a", "c"), MergeMode.DROP, null)));
        return Stream.of(
                new Committed("main", HASH, new TreeMap<>()),
                new Committed(
                        "main",
                        HASH,
                        new TreeMap<>(Map.of(ContentKey.of("a", "x"), id, ContentKey.of("a", "y😀"), id))),
                new Merged(report, HASH),
                new Merged(new Report("main", HASH, HASH, null, List.of()), HASH),
                new ReferenceChanged(
                        ReferenceChanged.Kind.CREATED, new Reference.Named(ReferenceKind.BRANCH, "b", HASH), 1),
                new ReferenceChanged(
                        ReferenceChanged.Kind.ASSIGNED, new Reference.Named(ReferenceKind.TAG, "t", HASH), 300),
                new ReferenceChanged(
                        ReferenceChanged.Kind.DELETED,
                        new Reference.Named(ReferenceKind.TAG, "t", CommitId.NO_ANCESTOR),
                        Long.MAX_VALUE));
    }

    @ParameterizedTest
    @MethodSource("results")
    void theyComeBack(AppliedResult result) {
        assertThat(ResultCodec.decode(ResultCodec.encode(result))).isEqualTo(result);
    }

    @ParameterizedTest
    @MethodSource("results")
    void whatIsCutOrGoesOnIsRefused(AppliedResult result) {
        byte[] bytes = ResultCodec.encode(result);
        for (int length = 0; length <= bytes.length + 1; length++) {
            byte[] changed = Arrays.copyOf(bytes, length);
            if (length != bytes.length) {
                assertThatExceptionOfType(CorruptObjectException.class).isThrownBy(() -> ResultCodec.decode(changed));
            }
        }
    }

    @Test
    void theFormIsPinned() {
        assertThat(HexFormat.of()
                        .formatHex(ResultCodec.encode(results().toList().get(4))))
                .isEqualTo("0103" + "0000" + "0162" + "ab".repeat(32) + "01");
        assertThat(HexFormat.of()
                        .formatHex(ResultCodec.encode(results().toList().get(1))))
                .isEqualTo("0101" + "046d61696e" + "ab".repeat(32) + "02"
                        + "0004" + "61007800" + "0123456789abcdef0123456789abcdef"
                        + "0208" + "79eda0bdedb88000" + "0123456789abcdef0123456789abcdef");
    }
}
