package org.anabranch.model;

/** How much of each item an answer shows. */
public enum Detail {
    /** What lies at hand. */
    MINIMAL,
    /** Also what must be fetched: the content of an entry, the operations of a commit, the metadata of a reference. */
    ALL
}
