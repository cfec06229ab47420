package org.anabranch.bench.report;

import java.util.List;
import java.util.Optional;

/** Median, smallest and largest of some figures. */
public record Spread(double median, double min, double max) {

    /** Empty for no figures. */
    public static Optional<Spread> of(List<Double> figures) {
        if (figures.isEmpty()) {
            return Optional.empty();
        }
        List<Double> sorted = figures.stream().sorted().toList();
        int half = sorted.size() / 2;
        double median = sorted.size() % 2 == 1 ? sorted.get(half) : (sorted.get(half - 1) + sorted.get(half)) / 2;
        return Optional.of(new Spread(median, sorted.getFirst(), sorted.getLast()));
    }
}
