@NullMarked
package org.anabranch.history;

import org.jspecify.annotations.NullMarked;
