/**
 * What is done to a server: the catalog it holds, and one loop per workload. It may import {@code http}, {@code load},
 * {@code server} and {@code store}. Rounds and rows belong to the command.
 */
@NullMarked
package org.anabranch.bench.workload;

import org.jspecify.annotations.NullMarked;
