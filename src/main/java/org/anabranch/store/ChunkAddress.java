package org.anabranch.store;

/** Where a chunk lies: the number of its commit row, and its place in the row, from 0. */
public record ChunkAddress(long number, int chunk) {}
