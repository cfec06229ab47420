package org.anabranch.store;

/**
 * The mark of a commit row that no reference reached.
 *
 * @param number of the row
 * @param atMicros when it was condemned, in microseconds since the epoch
 */
public record Condemned(long number, long atMicros) {}
