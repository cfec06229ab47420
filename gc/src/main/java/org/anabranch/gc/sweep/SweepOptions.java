package org.anabranch.gc.sweep;

import java.time.Duration;
import java.util.List;

/**
 * How to sweep.
 *
 * @param warehouses at least one
 * @param grace how far apart the two runs must be that find a file unreferenced
 * @param safetyAge how old a file must be at least, by its time of modification
 * @param clockMargin how far the storage's clock may differ from this machine's; adds to the safety age
 * @param batchSize how many files are deleted after one reading of all references
 */
public record SweepOptions(
        List<Warehouse> warehouses,
        Reach reach,
        Duration grace,
        Duration safetyAge,
        Duration clockMargin,
        int batchSize) {

    /** Nobody waits longer, and all sums with times are times. */
    private static final Duration LONGEST = Duration.ofDays(365_000);

    /** @throws IllegalArgumentException if a value makes no sense; what is merely dangerous is for the caller to refuse */
    public SweepOptions {
        warehouses = List.copyOf(warehouses);
        if (warehouses.isEmpty()) {
            throw new IllegalArgumentException("No warehouse is given: nothing may be deleted");
        }
        requirePeriod("grace period", grace);
        requirePeriod("safety age", safetyAge);
        requirePeriod("clock margin", clockMargin);
        if (batchSize < 1) {
            throw new IllegalArgumentException("A batch must hold a file at least, not " + batchSize);
        }
    }

    private static void requirePeriod(String name, Duration period) {
        if (period.isNegative() || period.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException(
                    "The " + name + " " + period + " is negative or longer than a thousand years");
        }
    }

    /** The same with a safety age that is not shorter than one. */
    public SweepOptions withSafetyAgeOfAtLeast(Duration age) {
        return age.compareTo(safetyAge) <= 0
                ? this
                : new SweepOptions(warehouses, reach, grace, age, clockMargin, batchSize);
    }
}
