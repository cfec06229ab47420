package org.anabranch.model;

/**
 * A place between keys, for ranges: directly before a key, directly after it, or after all keys below it.
 *
 * @param key it is described by; nothing need be stored under it
 */
public record KeyBound(ContentKey key, Place place) implements Comparable<KeyBound> {

    /** Where the bound lies, seen from its key. In order. */
    public enum Place {
        /** Directly before the key. */
        BEFORE,
        /** Directly after the key, before all keys below it. */
        AFTER,
        /** After the key and all keys below it. */
        AFTER_ALL_BELOW
    }

    public static KeyBound before(ContentKey key) {
        return new KeyBound(key, Place.BEFORE);
    }

    public static KeyBound after(ContentKey key) {
        return new KeyBound(key, Place.AFTER);
    }

    public static KeyBound afterAllBelow(ContentKey key) {
        return new KeyBound(key, Place.AFTER_ALL_BELOW);
    }

    /** Whether a key lies behind this bound. */
    public boolean isBefore(ContentKey other) {
        return order(key, place, other, Place.BEFORE) <= 0;
    }

    @Override
    public int compareTo(KeyBound other) {
        return order(key, place, other.key, other.place);
    }

    private static int order(ContentKey one, Place onePlace, ContentKey other, Place otherPlace) {
        int common = Math.min(one.elements().size(), other.elements().size());
        for (int i = 0; i < common; i++) {
            int order = one.elements().get(i).compareTo(other.elements().get(i));
            if (order != 0) {
                return order;
            }
        }
        int deeper = Integer.compare(one.elements().size(), other.elements().size());
        if (deeper < 0) {
            return onePlace == Place.AFTER_ALL_BELOW ? 1 : -1;
        }
        return deeper > 0 ? otherPlace == Place.AFTER_ALL_BELOW ? -1 : 1 : onePlace.compareTo(otherPlace);
    }
}
