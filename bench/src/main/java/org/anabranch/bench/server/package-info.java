/**
 * Server processes: how each kind is started, when it is ready, how it ends. It may import {@code http} and
 * {@code load}. Databases belong to {@code store}.
 */
@NullMarked
package org.anabranch.bench.server;

import org.jspecify.annotations.NullMarked;
