package org.anabranch.gc.expand;

/** Which snapshots of a live metadata file are live. */
public enum SnapshotScope {
    /** Every snapshot that the metadata lists: time travel within the table keeps working. */
    ALL,
    /** The one that the catalog's content records. */
    RECORDED
}
