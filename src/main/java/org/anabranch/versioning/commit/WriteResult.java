package org.anabranch.versioning.commit;

import org.anabranch.model.HeadKeptMoving;
import org.anabranch.model.OutcomeUndecided;

/** How a {@link BranchWriter} ended a request. */
public sealed interface WriteResult<T> {

    /** It was judged, and published if there was something to publish. */
    record Answered<T>(T answer) implements WriteResult<T> {}

    /** It was never published and never will be. */
    record GaveUp<T>(HeadKeptMoving why) implements WriteResult<T> {}

    /** It may have been published, or be published later. */
    record Undecided<T>(OutcomeUndecided why) implements WriteResult<T> {}

    /** The slot of its receipt is taken: a request with the same one was applied before, and this one was not and will not be. */
    record Repeated<T>() implements WriteResult<T> {}
}
