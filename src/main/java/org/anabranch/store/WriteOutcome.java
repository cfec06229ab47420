package org.anabranch.store;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/** How a {@link Store#write} ended. */
public sealed interface WriteOutcome {

    /** Everything is stored, durable and visible. */
    record Written() implements WriteOutcome {}

    /**
     * The reference is not as expected and did not change.
     *
     * @param current its state now; null if it does not exist
     */
    record ReferenceMoved(@Nullable ReferenceRow current) implements WriteOutcome {}

    /** The repository record is not as expected and did not change. */
    record RepositoryChanged(@Nullable RepositoryRow current) implements WriteOutcome {}

    /** A receipt's scope is taken: the request was applied before. Nothing changed. */
    record ReceiptTaken(Receipt existing) implements WriteOutcome {}

    /** Adopted commits are not stored, or no longer. Nothing changed. */
    record AdoptedMissing(Set<Long> numbers) implements WriteOutcome {}
}
