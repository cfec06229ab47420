package org.anabranch.versioning.check;

/** What a check is at, in this order. */
public enum CheckStage {
    /** Rows, references and receipts are listed; the total is not known. */
    LISTING,
    /** Reachable commits are verified, parents before children. */
    COMMITS,
    /** Whole trees are verified, one for each root of history. */
    TREES
}
