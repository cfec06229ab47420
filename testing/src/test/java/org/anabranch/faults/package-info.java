@NullMarked
package org.anabranch.faults;

import org.jspecify.annotations.NullMarked;
