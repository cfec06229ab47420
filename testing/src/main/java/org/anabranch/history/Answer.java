package org.anabranch.history;

/** How a request ended for its client. */
public sealed interface Answer {

    /**
     * It was done.
     *
     * @param head where the reference was then: after a create, an assignment or an append, before a delete
     */
    record Done(String head) implements Answer {}

    /** It was refused, which promises that it had and will have no effect, and that there was a reason. */
    record Refused(Reason reason) implements Answer {}

    /** It was not tried: the promise is that it had and will have no effect. Needs no reason. */
    record NotTried() implements Answer {}

    /** It may have had its effect, may have it later, or never: no answer came, or one that says so. */
    record Unknown() implements Answer {}

    /** Why a request was refused. */
    enum Reason {
        /** There is no such reference; or, of an append, its expected commit is not on the branch. */
        MISSING,
        /** A key of the append was changed since the expected commit. */
        CONFLICT,
        /** The reference is not at the commit that the assignment or delete names. */
        ELSEWHERE,
        /** There is a reference of the name that was to be created. */
        EXISTS,
        /** Others moved the branch so often that the append was given up. */
        KEPT_MOVING
    }
}
