package org.anabranch.object;

/**
 * 16 bytes of a SHA-256 that stand for a set of keys and values, without {@code seq}: equal sums below the same
 * boundaries mean the same keys with the same values.
 */
public record Sum(long high, long low) {}
