package org.anabranch.gc;

/**
 * The part of a table's or view's content that decides which files it needs.
 *
 * @param metadataLocation of the metadata file, as the catalog has it
 * @param versionId the snapshot of a table, negative for the metadata's current one; the version of a view
 */
public record ContentPointer(Kind kind, String metadataLocation, long versionId) {

    /** The kinds of content whose files are collected. */
    public enum Kind {
        ICEBERG_TABLE,
        ICEBERG_VIEW
    }
}
