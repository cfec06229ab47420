/**
 * Commits as a graph: jump pointers, the first-parent line, ancestry and merge bases. Imports {@code object}. It never
 * looks into a commit's index; that is for {@code index}.
 */
@NullMarked
package org.anabranch.dag;

import org.jspecify.annotations.NullMarked;
