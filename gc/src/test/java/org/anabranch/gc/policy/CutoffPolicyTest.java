package org.anabranch.gc.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.anabranch.api.v2.GarbageCollectorConfig;
import org.anabranch.api.v2.GarbageCollectorConfig.ReferenceCutoffPolicy;
import org.anabranch.gc.Cutoff;
import org.anabranch.gc.ReferenceHead;
import org.anabranch.model.CommitId;
import org.anabranch.model.ReferenceKind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What operators write, and what it means. */
class CutoffPolicyTest {

    private static final Instant START = Instant.parse("2026-11-30T12:00:00Z");

    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"NONE", "none", " None "})
    void noneKeepsEverything(String text) {
        assertThat(CutoffPolicy.parse(text).at(START)).isEqualTo(Cutoff.NONE);
    }

    @Test
    void theOtherThreeForms() {
        assertThat(CutoffPolicy.parse("17").at(START)).isEqualTo(Cutoff.newest(17));
        assertThat(CutoffPolicy.parse("P1DT1H").at(START)).isEqualTo(Cutoff.since(START.minus(Duration.ofHours(25))));
        assertThat(CutoffPolicy.parse("2026-01-01T01:00:00+01:00").at(START))
                .isEqualTo(Cutoff.since(Instant.parse("2026-01-01T00:00:00Z")));
    }

    @Test
    void aDurationFromBeforeAllTimeKeepsEverything() {
        assertThat(CutoffPolicy.parse("PT9223372036854775807S").at(START)).isEqualTo(Cutoff.NONE);
    }

    @ParameterizedTest
    @CsvSource({
        "none, NONE",
        "17, 17",
        "P30D, P30D",
        "PT48H, P2D",
        "P1DT1H, PT25H",
        "2026-01-01T01:00:00+01:00, 2026-01-01T00:00:00Z"
    })
    void isToldAsItIsWritten(String text, String told) {
        assertThat(CutoffPolicy.parse(text)).hasToString(told);
        assertThat(CutoffPolicy.parse(told)).isEqualTo(CutoffPolicy.parse(text));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "0", "-1", "1.5", "P", "PT-1H", "yesterday", "2026-01-01", "NONE!", "P1M", "999999999999"})
    void everythingElseIsRefusedByName(String text) {
        assertThatThrownBy(() -> CutoffPolicy.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'" + text + "'");
    }

    @Test
    void aFileTellsBranchesFromTagsAndTheFirstMatchOfAWholeNameCounts() throws IOException {
        CutoffPolicies policies = read("""
                branches:
                  default: P30D
                  rules:
                    - pattern: "a|b"
                      cutoff: 5
                    - {pattern: "a.*", cutoff: NONE}
                tags:
                  default: 1
                """);
        assertThat(cutoff(policies, ReferenceKind.BRANCH, "a")).isEqualTo(Cutoff.newest(5));
        assertThat(cutoff(policies, ReferenceKind.BRANCH, "ab")).isEqualTo(Cutoff.NONE);
        assertThat(cutoff(policies, ReferenceKind.BRANCH, "cab"))
                .isEqualTo(Cutoff.since(START.minus(Duration.ofDays(30))));
        assertThat(cutoff(policies, ReferenceKind.TAG, "a")).isEqualTo(Cutoff.newest(1));
    }

    @Test
    void whatAFileDoesNotMentionKeepsEverything() throws IOException {
        assertThat(read("tags: {default: 1}").branches()).isEqualTo(CutoffPolicies.KEEP_EVERYTHING.branches());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "branch: {default: 1}; branch",
                "branches: {default: soon}; 'soon'",
                "branches: {rules: [{pattern: '(', cutoff: 1}]}; '('",
                "branches: {rules: [{pattern: a}]}; cutoff",
                "branches: [1]; line 1",
                "'# nothing'; end-of-input",
                "~; empty"
            })
    void aFileThatIsWrongIsRefusedWithItsNameAndTheReason(String yaml, String reason) {
        assertThatThrownBy(() -> read(yaml))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("policies.yaml")
                .hasMessageContaining(reason);
    }

    @Test
    void theRepositorysConfigurationCountsForBranchesAndTags() {
        CutoffPolicies policies = CutoffPolicies.of(
                new GarbageCollectorConfig("3", List.of(new ReferenceCutoffPolicy("keep", "NONE")), null, null));
        for (ReferenceKind kind : ReferenceKind.values()) {
            assertThat(cutoff(policies, kind, "keep")).isEqualTo(Cutoff.NONE);
            assertThat(cutoff(policies, kind, "other")).isEqualTo(Cutoff.newest(3));
        }
    }

    private CutoffPolicies read(String yaml) throws IOException {
        return PolicyFile.read(Files.writeString(folder.resolve("policies.yaml"), yaml));
    }

    private static Cutoff cutoff(CutoffPolicies policies, ReferenceKind kind, String name) {
        return policies.cutoff(new ReferenceHead(kind, name, CommitId.NO_ANCESTOR), START);
    }
}
