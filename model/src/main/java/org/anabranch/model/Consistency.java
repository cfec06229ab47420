package org.anabranch.model;

/** What a look at the stored objects of a commit found, best first; the constant's name is the wire name. */
public enum Consistency {
    NOT_CHECKED,
    /** The commit and the root of its index can be read; so it is for no ancestor. */
    COMMIT_CONSISTENT,
    /** The commit can be read, the root of its index cannot. */
    COMMIT_CONTENT_INCONSISTENT,
    /** The commit itself cannot be read. */
    COMMIT_INCONSISTENT
}
