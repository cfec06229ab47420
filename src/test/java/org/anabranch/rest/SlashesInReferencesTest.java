package org.anabranch.rest;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SlashesInReferencesTest {

    @ParameterizedTest
    @CsvSource({
        "fe/x@,fe%2Fx@",
        "fe/x%40/entries,fe%2Fx%40/entries",
        "a/b/c@11223344~1/history/commit,a%2Fb%2Fc@11223344~1/history/commit",
        "fe/x@/diff/main,fe%2Fx@/diff/main",
        "main/diff/fe/x@,main/diff/fe%2Fx@",
        "a/b@/diff/c/d@11223344,a%2Fb@/diff/c%2Fd@11223344",
        "fe/x@/contents/k@y,fe%2Fx@/contents/k@y",
        "fe/entries@/entries,fe%2Fentries@/entries",
        "fe/diff/x@/entries,fe%2Fdiff%2Fx@/entries",
        "main/contents/a;b,main/contents/a%3Bb"
    })
    void slashesUpToTheAtSignAreEncoded(String path, String expected) {
        assertThat(SlashesInReferences.rewritten("/api/v2/trees/" + path)).contains("/api/v2/trees/" + expected);
    }

    @ParameterizedTest
    @CsvSource({
        "fe/x@/contents/k@y/history,fe%2Fx@/contents/k@y/history",
        "fe/x@11223344/contents/k/revert,fe%2Fx@11223344/contents/k/revert",
        "fe/x@/children,fe%2Fx@/children",
        "fe/x@11223344/history/revert,fe%2Fx@11223344/history/revert"
    })
    void theSameGoesForTheApiBeyond(String path, String expected) {
        assertThat(SlashesInReferences.rewritten("/api/ext/v1/trees/" + path))
                .contains("/api/ext/v1/trees/" + expected);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/api/v2/config",
                "/api/v2/trees",
                "/api/v2/trees/",
                "/api/v2/trees/main",
                "/api/v2/trees/main@11223344/history",
                "/api/v2/trees/@11223344/entries",
                "/api/v2/trees/main/contents/a@b",
                "/api/v2/trees/main/contents/a%40b",
                "/api/v2/trees/main/diff/x@11223344",
                "/api/v2/trees/diff/diff/diff",
                "/api/v2/trees/fe/x",
                "/api/ext/v1/trees/main/contents/k@y/history",
                "/api/ext/v1/trees/main@11223344/contents/k@y/revert",
                "/api/v2/trees/main/nothing",
                "/elsewhere/a/b@"
            })
    void otherPathsStayAsTheyAre(String path) {
        assertThat(SlashesInReferences.rewritten(path)).isEmpty();
    }

    @Test
    void lengthIsNoDanger() {
        String name = "a/".repeat(1_000_000);
        assertThat(SlashesInReferences.rewritten("/api/v2/trees/" + name + "@/entries"))
                .contains("/api/v2/trees/" + "a%2F".repeat(1_000_000) + "@/entries");
    }
}
