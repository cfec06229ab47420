package org.anabranch.bench.report;

import java.util.Locale;
import java.util.OptionalDouble;

/**
 * What a run shall reach.
 *
 * @param measured empty if the run has not measured it
 * @param atLeast whether more is better
 * @param unit stands behind the numbers
 */
public record Goal(String what, double bound, boolean atLeast, String unit, OptionalDouble measured) {

    static Goal atLeast(String what, double bound, String unit, OptionalDouble measured) {
        return new Goal(what, bound, true, unit, measured);
    }

    static Goal atMost(String what, double bound, String unit, OptionalDouble measured) {
        return new Goal(what, bound, false, unit, measured);
    }

    public boolean reached() {
        return measured.isPresent() && (atLeast ? measured.getAsDouble() >= bound : measured.getAsDouble() <= bound);
    }

    /** For the console. */
    public String line() {
        return String.format(
                Locale.ROOT,
                "%-11s %s: %s, goal %s",
                measured.isEmpty() ? "" : reached() ? "reached" : "NOT reached",
                what,
                measuredText(),
                boundText());
    }

    String boundText() {
        return (atLeast ? "≥ " : "≤ ") + Numbers.shortly(bound) + unit;
    }

    String measuredText() {
        return measured.isPresent() ? Numbers.shortly(measured.getAsDouble()) + unit : "not measured";
    }
}
