package org.anabranch.versioning.commit;

import org.anabranch.object.Commit;

/**
 * A change of a branch that can be judged on any head: everything that happens once per request, such as new content ids, the
 * time and the plan, is behind it.
 *
 * @param <T> how the request may end, once it is judged
 */
public interface BranchChange<T> {

    /**
     * Judges this change on a head, and stages its commits there if it can be applied. A function of this change and the head:
     * it is repeated for every head that is tried, and has no effect but on the stage.
     *
     * @param head stored, or staged on the same stage by a change before this one
     * @throws RuntimeException the request's ending, if that is no value
     */
    Judgement<T> judge(Commit head, Stage stage);
}
