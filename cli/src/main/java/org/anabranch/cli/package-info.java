/**
 * The commands behind the launcher.
 *
 * <p>They speak to a running service through its public API alone and never use a class of it. Each command has a
 * package of its own; here is only the table of them.
 */
@NullMarked
package org.anabranch.cli;

import org.jspecify.annotations.NullMarked;
