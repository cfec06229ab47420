/**
 * Fixtures that the tests of several rooms share: stores and readers that count, seeds, keys and commits to try things on.
 * May import everything. What one room alone uses lives in that room's tests.
 */
@NullMarked
package org.anabranch.testing;

import org.jspecify.annotations.NullMarked;
