package org.anabranch.gc;

/** How much of the catalog its server shows to this caller. */
public enum ReadAccess {
    /** Everything. */
    UNFILTERED,
    /** Perhaps not everything: what is missing would be taken for dead. */
    FILTERED,
    /** The server has no way to say. */
    UNKNOWN
}
