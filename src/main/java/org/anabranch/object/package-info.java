/**
 * The stored record, a commit row with its index nodes: its encoding, hashing, typed reading and writing, and the cache
 * of decoded nodes. Imports {@code store}. What walks nodes belongs to {@code index}, what walks commits to {@code dag}.
 */
@NullMarked
package org.anabranch.object;

import org.jspecify.annotations.NullMarked;
