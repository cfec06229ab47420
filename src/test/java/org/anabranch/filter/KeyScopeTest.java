package org.anabranch.filter;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.anabranch.model.ContentId;
import org.anabranch.model.ContentKey;
import org.anabranch.model.ContentType;
import org.anabranch.model.Entry;
import org.anabranch.model.RefusedException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KeyScopeTest {

    private static final Filters FILTERS = new Filters(FilterLimits.DEFAULT, InstantSource.system());
    private static final ContentId CONTENT_ID = ContentId.parse("01234567-89ab-cdef-0123-456789abcdef");
    private static final int ANY = Integer.MAX_VALUE;

    private static void assertScope(String filter, int maxElements, String... prefix) {
        assertThat(FILTERS.entries(filter).scope()).isEqualTo(new KeyScope(List.of(prefix), maxElements));
    }

    @Test
    void whatClientsSendIsBounded() {
        assertScope("entry.encodedKey.startsWith('a.')", ANY, "a");
        assertScope("entry.encodedKey.startsWith('a.b\u001dc.d')", ANY, "a", "b.c");
        assertScope("entry.encodedKey == 'a.b'", 2, "a", "b");
        assertScope("'a.b' == entry.encodedKey", 2, "a", "b");
        assertScope("entry.namespace == 'a.b'", 3, "a", "b");
        assertScope("entry.namespace == ''", 1);
        assertScope("entry.namespace.startsWith('a.')", ANY, "a");
        assertScope("entry.contentType == 'NAMESPACE' && size(entry.keyElements) == 1", 1);
        assertScope("entry.keyElements.size() == 2", 2);
        assertScope("size(entry.namespaceElements) == 1", 2);
        assertScope(
                "entry.contentType == 'NAMESPACE' && size(entry.keyElements) == 2 && entry.encodedKey.startsWith('a.')",
                2,
                "a");
        assertScope(
                "entry.contentType == 'NAMESPACE'&& (entry.encodedKey == 'a' || entry.encodedKey.startsWith('a.'))",
                ANY,
                "a");
        assertThat(FILTERS.diff("key.namespace == 'n'").scope()).isEqualTo(new KeyScope(List.of("n"), 2));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "entry.encodedKey.startsWith('a')",
                "!entry.encodedKey.startsWith('a.')",
                "entry.encodedKey != 'a'",
                "entry.key == 'a.b'",
                "entry.encodedKey.startsWith('a.') || entry.contentType == 'UDF'",
                "entry.encodedKey.startsWith('a.') ? false : true",
                "entry.name == 'a'",
                "entry.encodedKey.startsWith(entry.name)"
            })
    void whatSaysNothingOfTheKeyIsNotBounded(String filter) {
        assertThat(FILTERS.entries(filter).scope()).isEqualTo(KeyScope.ALL);
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void outsideOfTheScopeNothingMatchesAndNothingFails(long seed) {
        Random random = new Random(seed);
        for (int i = 0; i < 40; i++) {
            String text = condition(random, 3);
            Filter<Entry> filter = FILTERS.entries(text);
            for (int j = 0; j < 60; j++) {
                Entry entry = new Entry(
                        key(random), random.nextBoolean() ? ContentType.NAMESPACE : ContentType.UDF, CONTENT_ID, null);
                if (!isIn(filter.scope(), entry.key())) {
                    assertThat(matches(filter, entry))
                            .as("%s on %s", text, entry)
                            .isEqualTo("false");
                }
            }
        }
    }

    private static boolean isIn(KeyScope scope, ContentKey key) {
        int prefix = scope.prefix().size();
        return key.elements().size() <= scope.maxElements()
                && key.elements().size() >= prefix
                && key.elements().subList(0, prefix).equals(scope.prefix());
    }

    private static String matches(Filter<Entry> filter, Entry entry) {
        try {
            return String.valueOf(filter.test(entry));
        } catch (RefusedException e) {
            return e.getMessage();
        }
    }

    private static ContentKey key(Random random) {
        List<String> elements = new ArrayList<>();
        for (int size = 1 + random.nextInt(3); size > 0; size--) {
            elements.add(List.of("a", "b", "a.b", "ab").get(random.nextInt(4)));
        }
        return new ContentKey(elements);
    }

    private static String condition(Random random, int depth) {
        if (depth > 0 && random.nextInt(4) > 0) {
            String operator = List.of("&&", "&&", "||").get(random.nextInt(3));
            return "(" + condition(random, depth - 1) + " " + operator + " " + condition(random, depth - 1) + ")";
        }
        String text = List.of("", "a", "a.", "a.b", "a.b.", "a\u001db", "a\u001db.a", ".", "a..b", "b.ab")
                .get(random.nextInt(10));
        return switch (random.nextInt(9)) {
            case 0 -> "entry.encodedKey == '" + text + "'";
            case 1, 2 -> "entry.encodedKey.startsWith('" + text + "')";
            case 3 -> "entry.namespace == '" + text + "'";
            case 4 -> "entry.namespace.startsWith('" + text + "')";
            case 5 -> "size(entry.keyElements) == " + random.nextInt(4);
            case 6 -> "entry.namespaceElements.size() == " + random.nextInt(3);
            case 7 -> "entry.keyElements[1] == 'b'";
            default -> "entry.contentType == 'UDF'";
        };
    }
}
