package org.anabranch.versioning.commit;

import java.util.Optional;
import java.util.function.Function;
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

    /** What the caller is told; empty if the receipt of the same request, applied before, tells it. */
    default Optional<T> told(Function<HeadKeptMoving, T> ofGivingUp, Function<OutcomeUndecided, T> ofUndecided) {
        return switch (this) {
            case Answered<T>(var answer) -> Optional.of(answer);
            case GaveUp<T>(var why) -> Optional.of(ofGivingUp.apply(why));
            case Undecided<T>(var why) -> Optional.of(ofUndecided.apply(why));
            case Repeated<T>() -> Optional.empty();
        };
    }
}
