/**
 * References and the repository record: resolving what a client names, creating, assigning, deleting and listing references,
 * and publishing new heads. Once a repository is there, no other room calls the store's conditional write. Imports {@code dag}, {@code object} and
 * {@code store}. Which operations a commit holds and whether they conflict belongs to {@code versioning.commit}; who may do
 * it belongs to {@code security}.
 */
@NullMarked
package org.anabranch.versioning.refs;

import org.jspecify.annotations.NullMarked;
