/**
 * Decides which files may go, and lets them go: the folders to look into, the files in them that nothing live needs, since when, and a last
 * look before each batch of deletions.
 *
 * <p>May import the ports, {@code expand} and {@code state}. How a storage lists and deletes is for {@code storage}, what is live for
 * {@code mark}.
 */
@NullMarked
package org.anabranch.gc.sweep;

import org.jspecify.annotations.NullMarked;
