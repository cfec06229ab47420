package org.anabranch.filter;

import java.util.List;

/**
 * A bound on the keys that a filter can match: every match lies within, not every key within is a match.
 *
 * @param prefix the elements that every match starts with; may be empty
 * @param maxElements no match has more elements
 */
public record KeyScope(List<String> prefix, int maxElements) {

    /** No bound. */
    public static final KeyScope ALL = new KeyScope(List.of(), Integer.MAX_VALUE);

    public KeyScope {
        prefix = List.copyOf(prefix);
    }
}
