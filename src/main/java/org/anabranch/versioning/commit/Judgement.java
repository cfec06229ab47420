package org.anabranch.versioning.commit;

import java.util.List;
import org.anabranch.model.AppliedResult;
import org.anabranch.object.Commit;

/** What a {@link BranchChange} would do on a head. */
public sealed interface Judgement<T> {

    /** What the caller is told: of an applied change not before it is published. */
    T answer();

    /**
     * Commits are staged on the head that was judged.
     *
     * @param head the last of them
     * @param adopted stored commits that they make reachable, such as a merge source
     * @param answer an {@link AppliedResult}, for a receipt keeps it
     */
    record Applied<T>(Commit head, List<Commit> adopted, T answer) implements Judgement<T> {

        public Applied {
            adopted = List.copyOf(adopted);
            if (!(answer instanceof AppliedResult)) {
                throw new IllegalArgumentException("What is applied is answered with an applied result");
            }
        }

        /** The answer as a receipt keeps it. */
        AppliedResult result() {
            return (AppliedResult) answer;
        }
    }

    /** The change ends here: it is in conflict, or leaves nothing to write. What it may have staged is dropped. */
    record Ended<T>(T answer) implements Judgement<T> {}
}
