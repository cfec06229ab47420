package org.anabranch.versioning.read;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.anabranch.index.KeyRange;
import org.anabranch.model.ContentKey;
import org.anabranch.model.KeyBound;
import org.anabranch.model.KeyInterval;
import org.anabranch.object.IndexKey;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is found range by range is what both sides hold. */
class RangesOfBothTest {

    /** In order: names of one element, each before two that lie below it. */
    private static final List<ContentKey> KEYS = IntStream.range(0, 12)
            .mapToObj(n -> n % 3 == 0 ? ContentKey.of("n" + n / 3) : ContentKey.of("n" + n / 3, "t" + n % 3))
            .toList();

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void theyAreTheRangesThatBothSidesShow(long seed) {
        Random random = new Random(seed);
        for (int i = 0; i < 500; i++) {
            List<KeyInterval> ones = randomIntervals(random);
            List<KeyInterval> others = random.nextInt(4) == 0 ? ones : randomIntervals(random);
            KeyRange within = randomWindow(random);
            RangesOfBoth both = new RangesOfBoth(within, ones, others);
            for (int start = -1; start < KEYS.size(); start++) {
                IndexKey place = start < 0 ? null : IndexKey.of(KEYS.get(start));
                KeyRange found = both.endingBehind(place);
                for (ContentKey key : KEYS) {
                    IndexKey at = IndexKey.of(key);
                    boolean isShown = within.contains(at) && shows(ones, key) && shows(others, key);
                    if (found != null && found.contains(at)) {
                        assertThat(isShown).as("%s in %s", key, found).isTrue();
                    } else if (isShown && (place == null || at.compareTo(place) >= 0)) {
                        assertThat(found)
                                .as("the first behind %s, with %s", place, key)
                                .isNotNull();
                        assertThat(at.compareTo(found.until()))
                                .as("%s behind %s", key, found)
                                .isNotNegative();
                    }
                }
            }
        }
    }

    private static boolean shows(List<KeyInterval> intervals, ContentKey key) {
        return intervals.stream().anyMatch(interval -> interval.contains(key));
    }

    private static KeyRange randomWindow(Random random) {
        ContentKey one = KEYS.get(random.nextInt(KEYS.size()));
        return switch (random.nextInt(3)) {
            case 0 -> KeyRange.ALL;
            case 1 -> new KeyRange(IndexKey.of(one), null);
            default -> KeyRange.keyAndBelow(IndexKey.of(one));
        };
    }

    private static List<KeyInterval> randomIntervals(Random random) {
        TreeSet<KeyBound> bounds = new TreeSet<>();
        int most = random.nextInt(14);
        for (int i = 0; i < most; i++) {
            KeyBound.Place place = KeyBound.Place.values()[random.nextInt(3)];
            bounds.add(new KeyBound(KEYS.get(random.nextInt(KEYS.size())), place));
        }
        List<KeyInterval> intervals = new ArrayList<>();
        KeyBound from = null;
        for (KeyBound until : bounds) {
            if (random.nextInt(3) > 0) {
                intervals.add(new KeyInterval(from, until));
            }
            from = until;
        }
        if (random.nextBoolean()) {
            intervals.add(new KeyInterval(from, null));
        }
        return intervals;
    }
}
