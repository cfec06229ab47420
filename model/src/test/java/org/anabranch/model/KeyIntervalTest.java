package org.anabranch.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Bounds, intervals and what two show agree with asking each key of a small world. */
class KeyIntervalTest {

    /** Keys that tell the bounds around each other apart. */
    private static final List<ContentKey> KEYS = Stream.of(
                    "a", "a a", "a/a", "a/b", "a/b/a", "aa", "b", "b/a", "b/a/a", "b/c", "c")
            .map(text -> new ContentKey(List.of(text.split("/"))))
            .sorted()
            .toList();

    private static final List<KeyBound> BOUNDS = KEYS.stream()
            .flatMap(key -> Stream.of(KeyBound.before(key), KeyBound.after(key), KeyBound.afterAllBelow(key)))
            .toList();

    private static boolean naivelyBefore(KeyBound bound, ContentKey key) {
        return switch (bound.place()) {
            case BEFORE -> bound.key().compareTo(key) <= 0;
            case AFTER -> bound.key().compareTo(key) < 0;
            case AFTER_ALL_BELOW -> bound.key().compareTo(key) < 0 && !key.startsWith(bound.key());
        };
    }

    private static long keysBehind(KeyBound bound) {
        return KEYS.stream().filter(bound::isBefore).count();
    }

    @Test
    void aBoundIsBeforeWhatItSays() {
        for (KeyBound bound : BOUNDS) {
            for (ContentKey key : KEYS) {
                assertThat(bound.isBefore(key)).as("%s and %s", bound, key).isEqualTo(naivelyBefore(bound, key));
            }
        }
    }

    @Test
    void boundsAreOrderedByTheKeysBehindThem() {
        for (KeyBound one : BOUNDS) {
            for (KeyBound other : BOUNDS) {
                assertThat(one.compareTo(other)).isEqualTo(-other.compareTo(one));
                if (keysBehind(one) != keysBehind(other)) {
                    assertThat(one.compareTo(other) < 0)
                            .as("%s and %s", one, other)
                            .isEqualTo(keysBehind(one) > keysBehind(other));
                }
            }
        }
    }

    @Test
    void intervalsHoldWhatLiesBetweenTheirBounds() {
        ContentKey key = ContentKey.of("a", "b");
        assertThat(KEYS.stream().filter(KeyInterval.only(key)::contains)).containsExactly(key);
        assertThat(KEYS.stream().filter(KeyInterval.below(ContentKey.of("b"))::contains))
                .containsExactly(ContentKey.of("b", "a"), ContentKey.of("b", "a", "a"), ContentKey.of("b", "c"));
        assertThat(KEYS.stream().filter(KeyInterval.keyAndBelow(key)::contains))
                .containsExactly(key, ContentKey.of("a", "b", "a"));
        assertThat(KEYS).allMatch(KeyInterval.ALL::contains);
        assertThatThrownBy(() -> new KeyInterval(KeyBound.after(key), KeyBound.before(key)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    /** Some of the intervals show everything, the others what a coin says. */
    private record Coins(List<KeyInterval> ranges, List<KeyInterval> whole, int salt) implements VisibleKeys {

        private static Coins toss(Random random) {
            List<@Nullable KeyBound> bounds = new ArrayList<>(BOUNDS.stream()
                    .filter(bound -> random.nextInt(4) == 0)
                    .sorted()
                    .toList());
            if (random.nextBoolean()) {
                bounds.add(0, null);
            }
            if (bounds.size() % 2 == 1) {
                bounds.add(null);
            }
            List<KeyInterval> ranges = new ArrayList<>();
            for (int i = 0; i < bounds.size(); i += 2) {
                ranges.add(new KeyInterval(bounds.get(i), bounds.get(i + 1)));
            }
            List<KeyInterval> whole =
                    ranges.stream().filter(range -> random.nextBoolean()).toList();
            return new Coins(ranges, whole, random.nextInt());
        }

        @Override
        public boolean shows(ContentKey key, ContentType type) {
            return whole.stream().anyMatch(range -> range.contains(key))
                    || ranges.stream().anyMatch(range -> range.contains(key))
                            && ((key.hashCode() ^ salt) >> type.ordinal() & 1) == 0;
        }

        @Override
        public boolean showsAll(KeyInterval range) {
            return KEYS.stream()
                    .filter(range::contains)
                    .allMatch(key -> whole.stream().anyMatch(all -> all.contains(key)));
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3})
    void whatTwoShowIsWhatEachShows(long seed) {
        Random random = new Random(seed);
        for (int round = 0; round < 300; round++) {
            Coins one = Coins.toss(random);
            Coins other = Coins.toss(random);
            VisibleKeys both = one.and(other);
            for (ContentKey key : KEYS) {
                boolean inRange = both.ranges().stream().anyMatch(range -> range.contains(key));
                assertThat(inRange)
                        .isEqualTo(one.ranges().stream().anyMatch(range -> range.contains(key))
                                && other.ranges().stream().anyMatch(range -> range.contains(key)));
                for (ContentType type : ContentType.values()) {
                    assertThat(both.shows(key, type)).isEqualTo(one.shows(key, type) && other.shows(key, type));
                }
                assertThat(both.showsSome(key))
                        .isEqualTo(Stream.of(ContentType.values()).anyMatch(type -> both.shows(key, type)));
            }
            for (int i = 1; i < both.ranges().size(); i++) {
                KeyBound end = both.ranges().get(i - 1).until();
                KeyBound begin = both.ranges().get(i).from();
                assertThat(end).isNotNull().isLessThanOrEqualTo(begin);
            }
            for (KeyInterval range : both.ranges()) {
                assertThat(both.showsAll(range)).isEqualTo(one.showsAll(range) && other.showsAll(range));
            }
        }
    }

    @Test
    void everythingAndNothing() {
        Coins some = Coins.toss(new Random(1));
        assertThat(VisibleKeys.ALL.and(some)).isSameAs(some);
        assertThat(some.and(VisibleKeys.ALL)).isSameAs(some);
        assertThat(some.and(VisibleKeys.NONE).ranges()).isEmpty();
        assertThat(VisibleKeys.NONE.showsSome(ContentKey.of("a"))).isFalse();
    }
}
