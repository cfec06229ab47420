package org.anabranch.versioning.refs;

/** What a hash is for in a request, as messages call it. */
public enum HashRole {
    /** Where the caller believes a reference is, or where a read starts. */
    EXPECTED("Expected hash"),
    /** What a reference shall point at. */
    TARGET("Target hash"),
    /** What is merged. */
    SOURCE("Source hash"),
    /** Where a log starts. */
    YOUNGEST("Youngest hash"),
    /** Where a log ends. */
    OLDEST("Oldest hash"),
    /** The left side of a diff. */
    FROM("\"From\" hash"),
    /** The right side of a diff. */
    TO("\"To\" hash"),
    /** One of the commits that a transplant copies. */
    TO_TRANSPLANT("Hash to transplant"),
    /** A commit that is taken back, or that a key is put back to. */
    TO_REVERT("Hash to revert");

    private final String label;

    HashRole(String label) {
        this.label = label;
    }

    String label() {
        return label;
    }
}
