/**
 * What was measured, kept row by row, and as tables, goals and a plot. It may import {@code load}. It measures
 * nothing itself.
 */
@NullMarked
package org.anabranch.bench.report;

import org.jspecify.annotations.NullMarked;
