/**
 * The one road into a branch: planning a commit against what its caller saw, judging it against the head, staging it, and
 * publishing it together with what else is waiting for the same branch. Imports {@code versioning.refs}, {@code dag},
 * {@code index} and {@code object}, and of {@code store} the rows and exceptions that pass through it. How a merge or transplant
 * finds its changes belongs to {@code versioning.merge}; who may make them belongs to {@code security}.
 */
@NullMarked
package org.anabranch.versioning.commit;

import org.jspecify.annotations.NullMarked;
