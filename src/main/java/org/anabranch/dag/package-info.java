/**
 * Commits as a graph: jump pointers, the first-parent line, ancestry and merge bases; and the table of all stored
 * commits. Imports {@code object} and {@code store}. It never looks into a commit's index; that is for {@code index}.
 */
@NullMarked
package org.anabranch.dag;

import org.jspecify.annotations.NullMarked;
