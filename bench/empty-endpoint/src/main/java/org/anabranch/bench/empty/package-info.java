/**
 * An application that does nothing: what its endpoint serves is what the HTTP stack can serve. It has the settings of
 * the service and nothing else. What answers with contents is the service, in {@code src}.
 */
@NullMarked
package org.anabranch.bench.empty;

import org.jspecify.annotations.NullMarked;
