/**
 * Verifies a repository: everything that is stored against everything that it follows from. Imports {@code versioning.refs},
 * {@code dag}, {@code index}, {@code object} and {@code store}, and writes nothing. Taking away what no reference reaches is the
 * sweep's business, not this room's.
 */
@NullMarked
package org.anabranch.versioning.check;

import org.jspecify.annotations.NullMarked;
