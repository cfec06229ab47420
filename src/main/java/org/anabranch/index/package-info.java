/**
 * The key index of a commit, an ordered search tree whose shape depends on its key set alone: boundary rule, lookup, range,
 * count, edit and diff. Imports {@code object}. It knows keys and entries, not what a conflict is; that is for
 * {@code versioning.commit} and {@code versioning.merge}.
 */
@NullMarked
package org.anabranch.index;

import org.jspecify.annotations.NullMarked;
