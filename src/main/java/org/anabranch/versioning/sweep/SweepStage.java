package org.anabranch.versioning.sweep;

/** The steps of a sweep, in their order. */
public enum SweepStage {
    /** Commit rows, marks, references and receipts are listed. */
    LISTING,
    /** Rows are deleted that were condemned long enough. */
    DELETING,
    /** Rows that nothing reaches now are condemned. */
    CONDEMNING
}
