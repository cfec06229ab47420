package org.anabranch.model;

import java.time.Instant;

/** One relative step from a commit to another. Running past the first commit leads to no ancestor. */
public sealed interface RelativeSpec {

    /** {@code ~n}: the n-th predecessor on the first-parent line, n at least 1. */
    record Predecessor(int n) implements RelativeSpec {}

    /** {@code ^n}: the n-th parent, 1 being the first, n at least 1. */
    record Parent(int n) implements RelativeSpec {}

    /** {@code *time}: the newest commit on the first-parent line, itself included, that is not younger. */
    record AsOf(Instant time) implements RelativeSpec {}
}
