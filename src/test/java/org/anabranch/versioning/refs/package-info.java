@NullMarked
package org.anabranch.versioning.refs;

import org.jspecify.annotations.NullMarked;
