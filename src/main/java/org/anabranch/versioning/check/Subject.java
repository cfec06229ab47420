package org.anabranch.versioning.check;

import org.anabranch.model.CommitId;
import org.jspecify.annotations.Nullable;

/**
 * What is being verified.
 *
 * @param reference by which it was reached first
 * @param commit null as long as its header was not read
 */
record Subject(
        @Nullable String reference, long row, @Nullable CommitId commit) {}
