/**
 * Services under concurrent clients while something breaks: processes are killed, connections cut. What the
 * clients were answered is judged by the checker of histories.
 */
@NullMarked
package org.anabranch.cli.chaos;

import org.jspecify.annotations.NullMarked;
