package org.anabranch.model;

/** What a merge does with a key that changed on both sides; the constant's name is the wire name. */
public enum MergeMode {
    /** Reports a conflict. */
    NORMAL,
    /** Takes the source's state. */
    FORCE,
    /** Leaves the target's state, whether or not there is a conflict. */
    DROP
}
