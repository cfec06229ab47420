/**
 * Measurements of what needs little memory however much there is of it. Knows nothing of what is measured, which is any program of
 * the test's own class path.
 */
@NullMarked
package org.anabranch.scale;

import org.jspecify.annotations.NullMarked;
