package org.anabranch.security;

import java.util.Optional;
import java.util.function.Predicate;
import org.anabranch.model.ContentKey;
import org.anabranch.model.KeyEncoding;
import org.anabranch.model.KeyInterval;

/**
 * Keys of one place in the tree of namespaces: {@code sales} is that key alone, {@code sales.*} all keys below it at any depth,
 * {@code *} every key.
 *
 * @param interval where the keys lie
 */
public record KeyPattern(String text, KeyInterval interval) implements Predicate<ContentKey> {

    private static final String EVERYTHING = "*";
    private static final String BELOW = ".*";

    /** @throws IllegalArgumentException if the text is of another form; the message says which forms there are */
    public static KeyPattern parse(String text) {
        if (text.equals(EVERYTHING)) {
            return new KeyPattern(text, KeyInterval.ALL);
        }
        boolean below = text.endsWith(BELOW);
        String place = below ? text.substring(0, text.length() - BELOW.length()) : text;
        boolean isEscaped = place.startsWith(".");
        if (!isEscaped && place.contains("*")) {
            throw new IllegalArgumentException("'" + text + "' has a wildcard in its middle: write 'sales' for a key,"
                    + " 'sales.*' for all keys below it, or '*' for every key");
        }
        Optional<ContentKey> key = KeyEncoding.decode(place);
        if (key.isEmpty()) {
            throw new IllegalArgumentException("'" + text + "' names no key: write 'sales' for a key, 'sales.*' for all"
                    + " keys below it, or '*' for every key");
        }
        return new KeyPattern(text, below ? KeyInterval.below(key.get()) : KeyInterval.only(key.get()));
    }

    @Override
    public boolean test(ContentKey key) {
        return interval.contains(key);
    }
}
