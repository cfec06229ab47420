package org.anabranch.gc.sweep;

/** How far a sweep looks for files. */
public enum Reach {
    /** The folders that contents claim or once claimed. */
    KNOWN_LOCATIONS,
    /** Everything in the warehouses, whoever wrote it: also files of tables that no catalog or another one knows. */
    WHOLE_WAREHOUSE
}
