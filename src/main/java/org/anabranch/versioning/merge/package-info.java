/**
 * Merge, transplant and revert: what a source changed since the merge base, compared with the target key by key, as one change of a
 * branch. Imports {@code versioning.commit}, which brings it into the branch, {@code versioning.refs}, {@code dag}, {@code
 * index} and {@code object}, and of {@code store} the rows that pass through it. What a plain commit may do belongs to {@code
 * versioning.commit}.
 */
@NullMarked
package org.anabranch.versioning.merge;

import org.jspecify.annotations.NullMarked;
