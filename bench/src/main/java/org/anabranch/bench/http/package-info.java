/**
 * A lean HTTP client: one connection, one request at a time. It imports nothing of ours. What is requested belongs to
 * {@code workload}.
 */
@NullMarked
package org.anabranch.bench.http;

import org.jspecify.annotations.NullMarked;
