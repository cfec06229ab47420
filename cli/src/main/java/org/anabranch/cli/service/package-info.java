/**
 * The built service as a child process: start, wait until it is ready, stop, kill, start again; and a folder for it.
 *
 * <p>May import nothing of ours. What is said to the service once it runs does not belong here but to whoever
 * started it.
 */
@NullMarked
package org.anabranch.cli.service;

import org.jspecify.annotations.NullMarked;
