/**
 * The command {@code gc}: options, progress and exit codes around the collector of unreferenced files.
 *
 * <p>May use the collector's module and the client of the API; everything that decides what is live or may go is there, not here.
 */
@NullMarked
package org.anabranch.cli.gc;

import org.jspecify.annotations.NullMarked;
