/**
 * The command that makes the start-up cache of a distribution: it has the service run once under Java's recorder.
 *
 * <p>May import {@code service}. What the service does when it starts does not belong here.
 */
@NullMarked
package org.anabranch.cli.prepare;

import org.jspecify.annotations.NullMarked;
