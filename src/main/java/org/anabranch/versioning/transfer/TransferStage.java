package org.anabranch.versioning.transfer;

/** Where an export or import is. */
public enum TransferStage {
    /** Reads the references, and the links of all commits. */
    LISTING,
    /** Writes commits to the file. */
    EXPORTING,
    /** Reads a file through, before anything of it is used. */
    VERIFYING,
    /** Reads the history of another server. */
    READING,
    /** Writes commits to the store. */
    IMPORTING,
    /** Compares what was imported with the server that it came from. */
    COMPARING,
    /** Creates the references. */
    REFERENCES
}
