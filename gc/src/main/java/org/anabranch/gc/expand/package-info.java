/**
 * From the pointers of live contents to the files that they need, by Iceberg's own readers.
 *
 * <p>Imports the ports of {@code gc} and, for what it remembers, {@code state}. Which contents are live comes from
 * {@code mark}; what happens to the files that nobody needs is for {@code sweep}.
 */
@NullMarked
package org.anabranch.gc.expand;

import org.jspecify.annotations.NullMarked;
