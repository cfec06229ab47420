package org.anabranch.bench.report;

/**
 * How and on what a run measures. Rows of different set-ups are never put into one table.
 *
 * @param revision of the sources, as git describes it
 * @param service digest of the service that is measured
 */
public record Setup(String revision, String service, int rounds, double seconds, double warmUpSeconds, String heap) {}
