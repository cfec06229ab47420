/**
 * The HTTP contract of what goes beyond API v2, under a base of its own: v2 clients refuse fields that they do not know, so
 * nothing of this appears in a v2 body. Imports {@code model} and the bodies of {@code api.v2} that mean the same here. What a
 * request means belongs to the service.
 */
@NullMarked
package org.anabranch.api.ext;

import org.jspecify.annotations.NullMarked;
