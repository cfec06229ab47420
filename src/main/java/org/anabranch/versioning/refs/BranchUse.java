package org.anabranch.versioning.refs;

/** What a request wants to do to a branch, as messages call it. */
public enum BranchUse {
    COMMIT("commit"),
    MERGE("merge"),
    TRANSPLANT("transplant");

    private final String verb;

    BranchUse(String verb) {
        this.verb = verb;
    }

    String verb() {
        return verb;
    }
}
