/**
 * Repositories of other servers of API v2, and how they come into an empty store. Imports {@code versioning.transfer}, which fills the
 * store, and the client in {@code api.client}; knows the JSON of answers, and nothing of how commits are stored.
 */
@NullMarked
package org.anabranch.versioning.transfer.peer;

import org.jspecify.annotations.NullMarked;
