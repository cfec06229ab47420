package org.anabranch.object;

/**
 * How much the cache of {@link StoredObjects} helped since it was made, and what it holds now. Commits, nodes, contents and the ids
 * of commits are looked up in it, and, before the store is asked for one of these, the undecoded chunk that it lies in.
 *
 * @param hits lookups that found what they looked for
 * @param misses lookups that did not
 * @param evictions of entries for lack of room
 * @param evictedBytes of these
 * @param bytes that its entries take now, as far as it knows
 * @param mostBytes that they may take
 */
public record CacheUse(long hits, long misses, long evictions, long evictedBytes, long bytes, long mostBytes) {}
