@NullMarked
package org.anabranch.dag;

import org.jspecify.annotations.NullMarked;
