/**
 * Garbage collection of the lake's files: the ports and the values that its rooms hand to each other.
 *
 * <p>Imports {@code model} alone; every other room of this module may import this one. Nothing here talks to a server, a
 * file system or a database: that goes to the room that implements the port.
 */
@NullMarked
package org.anabranch.gc;

import org.jspecify.annotations.NullMarked;
