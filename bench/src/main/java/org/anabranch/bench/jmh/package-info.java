/**
 * Microbenchmarks of the key index and of stored bytes. It imports the service's {@code index}, {@code object} and
 * {@code store}. What goes through HTTP belongs to {@code workload}.
 */
@NullMarked
package org.anabranch.bench.jmh;

import org.jspecify.annotations.NullMarked;
