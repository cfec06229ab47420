package org.anabranch.security;

/** The way on which a change comes to a branch. */
public enum Via {
    COMMIT,
    /** A merge, transplant or revert. */
    MERGE
}
