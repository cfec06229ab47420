package org.anabranch.versioning.sweep;

/**
 * What a sweep did; of a dry run, what it would have done.
 *
 * @param complete false if it was told to end before it was done; the next one goes on
 * @param references branches and tags
 * @param receipts kept answers, whose commits are kept with them
 * @param rows commit rows of the store when they were listed
 * @param reached how many of those a reference, one of its remembered heads, or a kept answer leads to
 * @param spared rows that were condemned and are reached again
 * @param deleted rows
 * @param waiting rows that were condemned before and stay for now: not for the grace period yet, or a descendant is not
 * @param condemned rows that are condemned from this run on
 */
public record SweepReport(
        SweepMode mode,
        boolean complete,
        long references,
        long receipts,
        long rows,
        long reached,
        long spared,
        long deleted,
        long waiting,
        long condemned) {}
