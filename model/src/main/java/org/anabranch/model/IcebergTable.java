package org.anabranch.model;

import com.fasterxml.jackson.annotation.JsonProperty;
import org.jspecify.annotations.Nullable;

/**
 * An Iceberg table: where its metadata lies, and which of the snapshots, schemas, specs and orders in it are current.
 *
 * @param snapshotId -1 for a table without a snapshot
 */
public record IcebergTable(
        @Nullable ContentId id,
        @JsonProperty(required = true) String metadataLocation,
        @JsonProperty(required = true) long snapshotId,
        @JsonProperty(required = true) int schemaId,
        @JsonProperty(required = true) int specId,
        @JsonProperty(required = true) int sortOrderId)
        implements Content {

    public IcebergTable {
        Checks.required("metadataLocation", metadataLocation);
    }

    @Override
    public ContentType type() {
        return ContentType.ICEBERG_TABLE;
    }

    @Override
    public IcebergTable withId(ContentId id) {
        return new IcebergTable(id, metadataLocation, snapshotId, schemaId, specId, sortOrderId);
    }
}
