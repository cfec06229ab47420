package org.anabranch.history;

/**
 * Something that a correct catalog cannot have done.
 *
 * @param reference that it was done to
 * @param text what is wrong, with the call that it is about
 */
public record Violation(Kind kind, String reference, String text) {

    /** The classes of violations. */
    public enum Kind {
        /** An acknowledged commit is not on its branch, and nobody moved or deleted the branch. */
        LOST,
        /** There are two commits of one request. */
        DOUBLED,
        /** A request took effect although its client was promised that it did not. */
        REFUSED_BUT_APPLIED,
        /** An answer names a commit that is not of the request. */
        NOT_ITS_COMMIT,
        /** A commit was made although one of its keys was changed since the expected commit, or that is not on its line. */
        OVERWRITTEN,
        /** A change was acknowledged that cannot have happened between its request and its answer. */
        OUT_OF_ORDER,
        /** A read tells a state that the reference did not have between request and answer. */
        STALE_READ,
        /** A refusal whose reason was not there between request and answer. */
        REFUSED_WITHOUT_CAUSE
    }

    @Override
    public String toString() {
        return kind + " on '" + reference + "': " + text;
    }
}
