/**
 * The SPI of a store: commit rows, references, the repository record, receipts and the one conditional write that makes
 * them visible, with its outcomes and exceptions. Imports nothing but the model. A backend lives in a package of its own
 * below this one; what is pleasant but not needed by every backend is built once on top, in {@code object} and
 * {@code versioning.refs}.
 */
@NullMarked
package org.anabranch.store;

import org.jspecify.annotations.NullMarked;
