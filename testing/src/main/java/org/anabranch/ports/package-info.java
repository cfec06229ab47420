/** Ports for servers that must be told theirs. Knows nothing of what they are. */
@NullMarked
package org.anabranch.ports;

import org.jspecify.annotations.NullMarked;
