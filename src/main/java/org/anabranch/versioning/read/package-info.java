/**
 * Reading: contents, entries, histories and differences, filtered and in pages. Imports {@code versioning.refs}, {@code
 * filter}, {@code dag}, {@code index} and {@code object}. What a reference points at belongs to {@code versioning.refs}, what
 * an answer looks like to {@code rest}.
 */
@NullMarked
package org.anabranch.versioning.read;

import org.jspecify.annotations.NullMarked;
