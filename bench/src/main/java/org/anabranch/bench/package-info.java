/**
 * The benchmark's command: which rows are measured, in which order, and what is told meanwhile. It may import every
 * package below. What a row does belongs to {@code workload}, what its figures mean to {@code report}.
 */
@NullMarked
package org.anabranch.bench;

import org.jspecify.annotations.NullMarked;
