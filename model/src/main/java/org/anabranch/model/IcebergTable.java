package org.anabranch.model;

import org.jspecify.annotations.Nullable;

/** An Iceberg table: where its metadata lies, and which of the snapshots, schemas, specs and orders in it are current. */
public record IcebergTable(
        @Nullable ContentId id, String metadataLocation, long snapshotId, int schemaId, int specId, int sortOrderId)
        implements Content {

    @Override
    public ContentType type() {
        return ContentType.ICEBERG_TABLE;
    }

    @Override
    public IcebergTable withId(ContentId id) {
        return new IcebergTable(id, metadataLocation, snapshotId, schemaId, specId, sortOrderId);
    }
}
