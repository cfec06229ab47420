package org.anabranch.versioning.refs;

import java.util.Set;
import org.anabranch.store.Receipt;
import org.anabranch.store.ReferenceRow;
import org.jspecify.annotations.Nullable;

/** How {@link HeadPublisher#publish} ended. */
public sealed interface PublishOutcome {

    /**
     * The commits are durable and visible, and the reference points at the new head.
     *
     * @param now the reference as it is now
     */
    record Published(ReferenceRow now) implements PublishOutcome {}

    /**
     * The reference is not as it was seen; nothing became visible.
     *
     * @param current the reference of that name now, possibly of another incarnation; null if there is none
     */
    record HeadMoved(@Nullable ReferenceRow current) implements PublishOutcome {}

    /** A request with the same receipt scope was applied before; nothing became visible. */
    record ReceiptTaken(Receipt existing) implements PublishOutcome {}

    /** Adopted commits are not stored, or no longer; nothing became visible. */
    record AdoptedMissing(Set<Long> numbers) implements PublishOutcome {}
}
