package org.anabranch.bench.load;

import java.util.function.LongSupplier;

/**
 * Where the processor time of a round goes, each as nanoseconds since some start.
 *
 * @param server of the process that is measured
 * @param database of the database server behind it; always 0 without one, or if it is not ours
 * @param residentBytes of the process that is measured, at the moment
 */
public record Meters(LongSupplier server, LongSupplier database, LongSupplier residentBytes) {

    public static final Meters NONE = new Meters(() -> 0, () -> 0, () -> 0);
}
