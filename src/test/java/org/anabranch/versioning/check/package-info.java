@NullMarked
package org.anabranch.versioning.check;

import org.jspecify.annotations.NullMarked;
