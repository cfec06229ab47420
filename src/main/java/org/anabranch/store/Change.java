package org.anabranch.store;

import org.jspecify.annotations.Nullable;

/** The conditional part of a write: one mutable row, from the state that the caller saw to the state it shall have. */
public sealed interface Change {

    /**
     * Creates ({@code expected} null), moves, or deletes ({@code next} null) a reference. Applied iff the reference now
     * has the expected incarnation and version, or does not exist when none is expected.
     */
    record OfReference(
            String name,
            @Nullable ReferenceRow expected,
            @Nullable ReferenceRow next) implements Change {}

    /** Creates ({@code expected} null) or replaces the repository record. Applied iff it has the expected version. */
    record OfRepository(@Nullable RepositoryRow expected, RepositoryRow next) implements Change {}
}
