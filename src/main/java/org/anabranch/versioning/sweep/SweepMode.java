package org.anabranch.versioning.sweep;

/** Whether a sweep does what it finds to be done. */
public enum SweepMode {
    SWEEP,
    /** Everything is looked at and counted, and nothing is changed. */
    DRY_RUN
}
