/**
 * Where servers keep their data: folders, databases, and prepared copies of them. It may import {@code load}.
 * Filling them belongs to {@code workload}.
 */
@NullMarked
package org.anabranch.bench.store;

import org.jspecify.annotations.NullMarked;
