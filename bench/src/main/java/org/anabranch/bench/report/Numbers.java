package org.anabranch.bench.report;

import java.util.Locale;

/** Numbers as people read them. */
public final class Numbers {

    private Numbers() {}

    /** Three digits that count, all digits before the point, thousands with commas. */
    public static String shortly(double value) {
        double size = Math.abs(value);
        String format = size >= 100 || size == 0 ? "%,.0f" : size >= 10 ? "%.1f" : size >= 0.1 ? "%.2f" : "%.3f";
        return String.format(Locale.ROOT, format, value);
    }
}
