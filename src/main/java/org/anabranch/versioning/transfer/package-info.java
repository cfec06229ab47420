/**
 * Repositories on their way: into a file, and out of a file or another server into an empty store. Imports {@code versioning.refs},
 * {@code dag}, {@code index}, {@code object} and {@code store}; what a commit, a reference or a record look like as bytes is said
 * in {@code object}, and how another server is asked, in {@code versioning.transfer.peer}.
 */
@NullMarked
package org.anabranch.versioning.transfer;

import org.jspecify.annotations.NullMarked;
