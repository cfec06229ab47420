/**
 * The sweep of commits of the store that no reference reaches any more: marked, condemned, and deleted by a later run. Imports
 * {@code dag} and {@code store}, and never looks into a commit. Files of the lake are another matter, see the module {@code gc};
 * whether what is stored is right is verified by {@code versioning.check}.
 */
@NullMarked
package org.anabranch.versioning.sweep;

import org.jspecify.annotations.NullMarked;
