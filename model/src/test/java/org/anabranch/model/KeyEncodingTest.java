package org.anabranch.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class KeyEncodingTest {

    static Stream<Arguments> forms() {
        return Stream.of(
                Arguments.of(ContentKey.of("foo", "bar"), "foo.bar", "foo.bar", "foo.bar"),
                Arguments.of(ContentKey.of("a", "b.c"), "a.b\u001dc", ".a.b*.c", ".a.b*.c"),
                Arguments.of(
                        ContentKey.of("foo", ".bar", "baz"), "foo.\u001dbar.baz", ".foo.*.bar.baz", ".foo.*.bar.baz"),
                Arguments.of(
                        ContentKey.of("foo.", ".bar", "a/\\%aa"),
                        "foo\u001d.\u001dbar.a/\\%aa",
                        ".foo*..*.bar.a*{*}*[aa",
                        ".foo*..*.bar.a/\\%aa"),
                Arguments.of(ContentKey.of("a", "x*y"), "a.x*y", "a.x*y", "a.x*y"),
                Arguments.of(ContentKey.of("a/b", "x*y"), "a/b.x*y", ".a*{b.x**y", "a/b.x*y"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("forms")
    void everyFormIsWrittenAsSpecified(ContentKey key, String legacy, String escaped, String canonical) {
        assertThat(KeyEncoding.LEGACY.encode(key)).isEqualTo(legacy);
        assertThat(KeyEncoding.ESCAPED.encode(key)).isEqualTo(escaped);
        assertThat(KeyEncoding.CANONICAL.encode(key)).isEqualTo(canonical);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("forms")
    void oneDecoderReadsThemAll(ContentKey key, String legacy, String escaped, String canonical) {
        assertThat(Stream.of(legacy, escaped, canonical).map(KeyEncoding::decode))
                .containsOnly(Optional.of(key));
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void decodingUndoesEncoding(long seed) {
        Random random = new Random(seed);
        for (int i = 0; i < 2_000; i++) {
            ContentKey key = randomKey(random);
            for (KeyEncoding encoding : KeyEncoding.values()) {
                assertThat(KeyEncoding.decode(encoding.encode(key)))
                        .as("%s of %s", encoding, key.elements())
                        .contains(key);
            }
        }
    }

    private static ContentKey randomKey(Random random) {
        String letters = "ab.*/\\%{}[ -é\uD83D\uDE00";
        List<String> elements = new ArrayList<>();
        for (int n = 1 + random.nextInt(4); n > 0; n--) {
            StringBuilder element = new StringBuilder();
            for (int length = 1 + random.nextInt(5); length > 0; length--) {
                element.append(letters.charAt(random.nextInt(letters.length())));
            }
            elements.add(element.toString());
        }
        return new ContentKey(elements);
    }

    @Test
    void aTrailingDotAddsNothing() {
        assertThat(KeyEncoding.decode("a.")).contains(ContentKey.of("a"));
        assertThat(KeyEncoding.decode("a\u0000b")).contains(ContentKey.of("a.b"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "."})
    void theKeyWithoutElementsIsEmpty(String text) {
        assertThat(KeyEncoding.decode(text)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {".a*x", ".a*", "a..b", "..", "a\u0001b", "a\nb", "a\u007fb"})
    void whatIsNoKeyIsRefusedAndShown(String text) {
        assertThatThrownBy(() -> KeyEncoding.decode(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("cannot be decoded: '" + text + "'");
    }

    @Test
    void theLimitsOfKeysHold() {
        assertThat(KeyEncoding.decode("x".repeat(500))).isPresent();
        assertThatThrownBy(() -> KeyEncoding.decode("x".repeat(501))).hasMessageContaining("the limit is 500");
        assertThat(KeyEncoding.decode("x" + ".x".repeat(19))).isPresent();
        assertThatThrownBy(() -> KeyEncoding.decode("x" + ".x".repeat(20))).hasMessageContaining("the limit is 20");
    }
}
