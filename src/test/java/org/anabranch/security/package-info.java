@NullMarked
package org.anabranch.security;

import org.jspecify.annotations.NullMarked;
