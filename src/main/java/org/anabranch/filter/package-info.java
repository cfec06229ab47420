/**
 * Filters in the Common Expression Language: compiled once, cached, and evaluated on views of references, entries, commits
 * and keys; the shapes that bound the keys they can match. Imports nothing of ours but {@code model}. What fetches the
 * objects that are filtered belongs to {@code versioning.read} and {@code versioning.refs}.
 */
@NullMarked
package org.anabranch.filter;

import org.jspecify.annotations.NullMarked;
