/**
 * Finds what is live: reads the catalog once, and walks the lines of its references down to their cutoffs.
 *
 * <p>May import the ports, {@code policy} and {@code state}. Which files a live pointer needs is decided in {@code expand}.
 */
@NullMarked
package org.anabranch.gc.mark;

import org.jspecify.annotations.NullMarked;
