/** What garbage collection costs on large lakes: time, memory, and entries read from the catalog. */
@NullMarked
package org.anabranch.gc.scale;

import org.jspecify.annotations.NullMarked;
