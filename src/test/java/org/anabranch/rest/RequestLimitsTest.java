package org.anabranch.rest;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.anabranch.api.ext.RevertBody;
import org.anabranch.api.v2.CommitBody;
import org.anabranch.api.v2.CommitMetaInput;
import org.anabranch.api.v2.GetContentsBody;
import org.anabranch.api.v2.GetContentsBody.RequestedKey;
import org.anabranch.api.v2.KeyMergeModeBody;
import org.anabranch.api.v2.MergeBody;
import org.anabranch.api.v2.MergeOptions;
import org.anabranch.api.v2.TransplantBody;
import org.anabranch.model.ContentKey;
import org.anabranch.model.ErrorCode;
import org.anabranch.model.HashSpec;
import org.anabranch.model.MergeMode;
import org.anabranch.model.Operation;
import org.anabranch.model.RefusedException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What lies at a limit is taken, what lies beyond is refused with the limit's value and the property that raises it. */
class RequestLimitsTest {

    private static final RequestLimits LIMITS = new RequestLimits(2, 3, 5, 10);

    static Stream<Arguments> bodies() {
        return Stream.of(
                Arguments.of("operations", 2, commit(2, "short"), commit(3, "short")),
                Arguments.of("message", 5, commit(1, "short"), commit(1, "longer")),
                Arguments.of("message", 5, commitBy("ann", "k", "v"), commitBy("anna", "k", "v")),
                Arguments.of("message", 5, commitBy("ann", "k", "v"), commitBy("ann", "key", "v")),
                Arguments.of("message", 5, commitBy("ann", "k", "v"), commitBy("ann", "k", "value")),
                Arguments.of("message", 5, merge("short", 0), merge("longer", 0)),
                Arguments.of("keys", 3, merge(null, 3), merge(null, 4)),
                Arguments.of("operations", 2, transplant(2), transplant(3)),
                Arguments.of("message", 5, revert("short"), revert("longer")),
                Arguments.of("keys", 3, contents(3), contents(4)));
    }

    @ParameterizedTest(name = "{0}: {1}")
    @MethodSource("bodies")
    void bodies(String property, int limit, Object at, Object beyond) {
        assertThatCode(() -> LIMITS.requireModest(at)).doesNotThrowAnyException();
        assertThatExceptionOfType(RefusedException.class)
                .isThrownBy(() -> LIMITS.requireModest(beyond))
                .withMessageContaining("the limit is " + limit)
                .withMessageEndingWith("anabranch.limits." + property)
                .matches(refusal -> refusal.code() == ErrorCode.BAD_REQUEST);
    }

    @Test
    void pages() {
        assertThatCode(() -> LIMITS.requirePage("10")).doesNotThrowAnyException();
        assertThatCode(() -> LIMITS.requirePage("ten")).doesNotThrowAnyException();
        assertThatExceptionOfType(RefusedException.class)
                .isThrownBy(() -> LIMITS.requirePage("11"))
                .withMessageStartingWith("max-records: 11, the limit is 10")
                .withMessageEndingWith("anabranch.limits.page-size");
    }

    private static CommitBody commit(int operations, String message) {
        return new CommitBody(
                new CommitMetaInput(message, List.of(), null, List.of(), Map.of()),
                Collections.nCopies(operations, new Operation.Delete(ContentKey.of("a"))));
    }

    private static CommitBody commitBy(String author, String property, String value) {
        return new CommitBody(
                new CommitMetaInput("", List.of(author), null, List.of(), Map.of(property, List.of(value))),
                List.of(new Operation.Delete(ContentKey.of("a"))));
    }

    private static MergeBody merge(String message, int keys) {
        List<KeyMergeModeBody> modes = Stream.iterate(0, i -> i + 1)
                .limit(keys)
                .map(i -> new KeyMergeModeBody(ContentKey.of("k" + i), MergeMode.DROP, null, null))
                .toList();
        return new MergeBody(
                "main", HashSpec.HEAD, message, null, new MergeOptions(MergeMode.NORMAL, modes, false, false));
    }

    private static TransplantBody transplant(int commits) {
        return new TransplantBody(
                "main",
                Collections.nCopies(commits, HashSpec.parse("1122334455667788")),
                null,
                new MergeOptions(MergeMode.NORMAL, List.of(), false, false));
    }

    private static RevertBody revert(String message) {
        return new RevertBody(
                HashSpec.parse("1122334455667788"),
                message,
                null,
                new MergeOptions(MergeMode.NORMAL, List.of(), false, false));
    }

    private static GetContentsBody contents(int keys) {
        return new GetContentsBody(Collections.nCopies(keys, new RequestedKey(List.of("a"))));
    }
}
