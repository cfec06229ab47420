package org.anabranch.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.anabranch.model.RelativeSpec.AsOf;
import org.anabranch.model.RelativeSpec.Parent;
import org.anabranch.model.RelativeSpec.Predecessor;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class RefSpecTest {

    private static final String HASH = "1122334455667788";

    static Stream<Arguments> paths() {
        return Stream.of(
                path("main", "main", null),
                path("main@", "main", null),
                path("-", "-", null),
                path("-@", "-", null),
                path("-~3", "-", null, new Predecessor(3)),
                path("fe/x@" + HASH, "fe/x", HASH),
                path("fe/x@", "fe/x", null),
                path("main@1122AABB", "main", "1122aabb"),
                path("@" + HASH, null, HASH),
                path("DETACHED@" + HASH, null, HASH),
                path("DETACHED~1", null, null, new Predecessor(1)),
                path("@~1", null, null, new Predecessor(1)),
                path("main~1", "main", null, new Predecessor(1)),
                path("main@~007", "main", null, new Predecessor(7)),
                path("main^2", "main", null, new Parent(2)),
                path("main~2147483646", "main", null, new Predecessor(2147483646)),
                path("main*1700000000123", "main", null, new AsOf(Instant.ofEpochMilli(1700000000123L))),
                path("main*2026-01-31T12:00:00Z", "main", null, new AsOf(Instant.parse("2026-01-31T12:00:00Z"))),
                path(
                        "main@" + HASH + "~2^2*2026-01-31T12:00:00.123456789Z",
                        "main",
                        HASH,
                        new Predecessor(2),
                        new Parent(2),
                        new AsOf(Instant.parse("2026-01-31T12:00:00.123456789Z"))));
    }

    private static Arguments path(String text, @Nullable String name, @Nullable String hash, RelativeSpec... steps) {
        return Arguments.of(text, new RefSpec(name, new HashSpec(hash, List.of(steps))));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("paths")
    void everyFormIsRead(String text, RefSpec expected) {
        assertThat(RefSpec.parse(text)).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a..b",
                "1abc",
                "gr\u00fcn",
                "a b",
                "a:b",
                "a/",
                "a.",
                "b@xyz",
                "b@abc",
                "b@112233445",
                "b@@11223344",
                "b^x",
                "b~1x",
                "b~0",
                "b^0",
                "b~",
                "b*",
                "b~2147483647",
                "b~99999999999999999999",
                "b@11223344!1",
                "b~-1",
                "b*2026-13-01T00:00:00Z",
                "b*2026-01-31T12:00:00+01:00",
                "b*2026-01-31",
                "b*2026-1-31T12:00:00Z",
                "b*2026-01-31T12:00:00.1234567890Z",
                "b*2026-01-31T12:00:00.Z",
                "b~2026-01-31T12:00:00Z",
                "--",
                "@abc"
            })
    void anythingElseIsRefusedWithTheRule(String text) {
        assertThatThrownBy(() -> RefSpec.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'" + text + "'")
                .hasMessageContaining(RefSpec.NAME_RULE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "@", "DETACHED", "DETACHED@"})
    void aDetachedReferenceNeedsAHash(String text) {
        assertThatThrownBy(() -> RefSpec.parse(text)).hasMessageContaining("a detached reference needs a hash");
    }

    @Test
    void lengthIsNoDanger() {
        String name = "a".repeat(2_000_000);
        assertThat(RefSpec.parse(name + "~1".repeat(1_000)).commit().steps()).hasSize(1_000);
    }

    @Test
    void stepsHaveAnEnd() {
        assertThatThrownBy(() -> RefSpec.parse("main" + "~1".repeat(1_001)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("at most 1000 steps");
        assertThatThrownBy(() -> HashSpec.parse("aabbccdd" + "^1".repeat(1_000_000)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("at most 1000 steps");
    }

    @Test
    void bodiesNameAHashOrStepsOrBoth() {
        assertThat(HashSpec.parse("AABBCCDD")).isEqualTo(new HashSpec("aabbccdd", List.of()));
        assertThat(HashSpec.parse("aabbccdd~2")).isEqualTo(new HashSpec("aabbccdd", List.of(new Predecessor(2))));
        assertThat(HashSpec.parse("~1^2")).isEqualTo(new HashSpec(null, List.of(new Predecessor(1), new Parent(2))));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "xyz", "aabbccd", "aabbccdd~", "main@aabbccdd"})
    void otherHashesAreRefused(String text) {
        assertThatThrownBy(() -> HashSpec.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'" + text + "'");
    }

    @ParameterizedTest
    @ValueSource(strings = {"main", "a", "a.b", "a//b", "deadbee", "HEAD", "a-", "A_9"})
    void names(String name) {
        assertThat(RefSpec.isName(name)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-", "9a", "a..b", "a/", "a.", "a b", "\u00e4"})
    void noNames(String name) {
        assertThat(RefSpec.isName(name)).isFalse();
    }
}
