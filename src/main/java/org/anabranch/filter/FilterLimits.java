package org.anabranch.filter;

import java.time.Duration;

/**
 * What a filter may cost.
 *
 * @param length of its text, in UTF-16 code units
 * @param steps that it takes on one object: each operator, call and turn of a loop is one, each element or character that it
 *     puts together, and a search in a text as many as it may take comparisons, by the hundred or thousand
 * @param time that the filter of one request takes
 */
public record FilterLimits(int length, int steps, Duration time) {

    /** 4,096 code units, a million steps (about a tenth of a second), 30 s. */
    public static final FilterLimits DEFAULT = new FilterLimits(4_096, 1_000_000, Duration.ofSeconds(30));

    public FilterLimits {
        if (length < 1 || steps < 1 || time.isNegative()) {
            throw new IllegalArgumentException("Limits of filters are positive");
        }
    }
}
