package org.anabranch.testing;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.anabranch.model.ContentKey;
import org.anabranch.model.ContentType;
import org.anabranch.model.KeyBound;
import org.anabranch.model.KeyInterval;
import org.anabranch.model.VisibleKeys;
import org.jspecify.annotations.Nullable;

/**
 * Some ranges between keys of a catalog, of which some show everything and the others what a coin says of key and type.
 *
 * @param whole those of the ranges that show everything
 */
public record RandomVisibleKeys(List<KeyInterval> ranges, List<KeyInterval> whole, int salt) implements VisibleKeys {

    public static VisibleKeys of(Random random, Collection<ContentKey> keys) {
        List<@Nullable KeyBound> bounds = new ArrayList<>(keys.stream()
                .flatMap(key -> Stream.of(KeyBound.before(key), KeyBound.after(key), KeyBound.afterAllBelow(key)))
                .filter(bound -> random.nextInt(6) == 0)
                .sorted()
                .distinct()
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
        return new RandomVisibleKeys(List.copyOf(ranges), whole, random.nextInt());
    }

    @Override
    public boolean shows(ContentKey key, ContentType type) {
        return whole.stream().anyMatch(range -> range.contains(key))
                || ranges.stream().anyMatch(range -> range.contains(key))
                        && ((key.hashCode() ^ salt) >> type.ordinal() & 1) == 0;
    }

    @Override
    public boolean showsAll(KeyInterval range) {
        return whole.stream().anyMatch(all -> all.and(range).equals(Optional.of(range)));
    }
}
