/** Fixtures that the tests of several rooms share. */
@NullMarked
package org.anabranch.testing;

import org.jspecify.annotations.NullMarked;
