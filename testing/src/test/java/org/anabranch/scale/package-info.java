/** What tells of memory is right. */
@NullMarked
package org.anabranch.scale;

import org.jspecify.annotations.NullMarked;
