/**
 * The steps of a run in their order, resumed where the last process ended.
 *
 * <p>May import every room of this module, and decides nothing about files itself. Options, output and exit codes belong to the
 * command.
 */
@NullMarked
package org.anabranch.gc.run;

import org.jspecify.annotations.NullMarked;
