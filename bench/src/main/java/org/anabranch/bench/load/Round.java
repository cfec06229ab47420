package org.anabranch.bench.load;

/**
 * One contestant under one load for some seconds.
 *
 * @param rate measured operations per second spent in them, times the connections; work beside them is left out
 * @param operations that did what they should
 * @param conflicts answered with 409
 * @param refusals answered with 429 or 503
 * @param errors everything else
 * @param firstError of those errors; empty without one
 * @param serverCpuMicros processor time of the server per operation
 * @param databaseCpuMicros of the database server per operation
 * @param generatorCpuMicros of the load generator per operation
 * @param residentMegabytes of the server at the end
 * @param foreignShare of the machine's processors that others used meanwhile, 0 to 1
 */
public record Round(
        String contestant,
        double rate,
        long operations,
        long conflicts,
        long refusals,
        long errors,
        String firstError,
        double p50Millis,
        double p99Millis,
        double maxMillis,
        double serverCpuMicros,
        double databaseCpuMicros,
        double generatorCpuMicros,
        double residentMegabytes,
        double foreignShare) {}
