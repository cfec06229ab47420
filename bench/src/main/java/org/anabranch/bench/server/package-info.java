/**
 * Server processes: how each kind is started, when it is ready, how it ends. It may import {@code http},
 * {@code load} and {@code store}, where databases belong.
 */
@NullMarked
package org.anabranch.bench.server;

import org.jspecify.annotations.NullMarked;
