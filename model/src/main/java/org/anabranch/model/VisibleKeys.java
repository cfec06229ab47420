package org.anabranch.model;

import java.util.List;

/** Which keys of a reference a request may see. Immutable; safe from many threads. */
public interface VisibleKeys {

    /** Every key. */
    VisibleKeys ALL = new VisibleKeys() {
        @Override
        public boolean shows(ContentKey key, ContentType type) {
            return true;
        }

        @Override
        public List<KeyInterval> ranges() {
            return List.of(KeyInterval.ALL);
        }

        @Override
        public boolean showsAll(KeyInterval range) {
            return true;
        }
    };

    /** No key. */
    VisibleKeys NONE = new VisibleKeys() {
        @Override
        public boolean shows(ContentKey key, ContentType type) {
            return false;
        }

        @Override
        public List<KeyInterval> ranges() {
            return List.of();
        }

        @Override
        public boolean showsAll(KeyInterval range) {
            return false;
        }
    };

    /** Whether a key that holds a content of a type may be seen. */
    boolean shows(ContentKey key, ContentType type);

    /**
     * Whether a content of some type could be seen under a key. If so, one that may not be seen there is to be treated as if it
     * were not there; if not, what is stored there is not even to be asked for.
     */
    default boolean showsSome(ContentKey key) {
        for (ContentType type : ContentType.values()) {
            if (shows(key, type)) {
                return true;
            }
        }
        return false;
    }

    /** Outside of these nothing is shown. Ascending and disjoint; empty if nothing can be shown at all. */
    List<KeyInterval> ranges();

    /** Whether every key of an interval is shown, whatever it holds. May say no where that cannot be told without the keys. */
    boolean showsAll(KeyInterval range);

    /** What may be seen by this and by another. */
    default VisibleKeys and(VisibleKeys other) {
        if (this == ALL || this == other) {
            return other;
        }
        return other == ALL ? this : new VisibleInBoth(this, other);
    }
}
