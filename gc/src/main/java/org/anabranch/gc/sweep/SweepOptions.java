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

    /** @throws IllegalArgumentException if a value makes no sense; what is merely dangerous is for the caller to refuse */
    public SweepOptions {
        warehouses = List.copyOf(warehouses);
        if (warehouses.isEmpty()) {
            throw new IllegalArgumentException("No warehouse is given: nothing may be deleted");
        }
        if (grace.isNegative() || safetyAge.isNegative() || clockMargin.isNegative()) {
            throw new IllegalArgumentException("A period is negative: grace " + grace + ", safety age " + safetyAge
                    + ", clock margin " + clockMargin);
        }
        if (batchSize < 1) {
            throw new IllegalArgumentException("A batch must hold a file at least, not " + batchSize);
        }
    }

    /** The same with a safety age that is not shorter than one. */
    public SweepOptions withSafetyAgeOfAtLeast(Duration age) {
        return age.compareTo(safetyAge) <= 0
                ? this
                : new SweepOptions(warehouses, reach, grace, age, clockMargin, batchSize);
    }
}
