/**
 * The load generator: closed loops, their latencies, and the processor time of the processes behind them. It imports
 * nothing of ours. What one turn of a loop does belongs to {@code workload}.
 */
@NullMarked
package org.anabranch.bench.load;

import org.jspecify.annotations.NullMarked;
