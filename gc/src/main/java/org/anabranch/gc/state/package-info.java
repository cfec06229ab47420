/**
 * What the collector remembers between its steps and runs: one folder with an SQLite database, held by one process.
 *
 * <p>All SQL of this module stands here, a class per group of tables, and may import the ports' values alone. What the rows mean for
 * a run is decided in {@code mark}, {@code expand} and {@code sweep}; docs/gc-state.md describes the format.
 */
@NullMarked
package org.anabranch.gc.state;

import org.jspecify.annotations.NullMarked;
