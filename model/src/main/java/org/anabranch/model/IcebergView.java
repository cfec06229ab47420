package org.anabranch.model;

import org.jspecify.annotations.Nullable;

/** An Iceberg view: where its metadata lies, and which version and schema in it are current. */
public record IcebergView(
        @Nullable ContentId id,
        String metadataLocation,
        long versionId,
        int schemaId,
        @Nullable String sqlText,
        @Nullable String dialect)
        implements Content {

    @Override
    public ContentType type() {
        return ContentType.ICEBERG_VIEW;
    }

    @Override
    public IcebergView withId(ContentId id) {
        return new IcebergView(id, metadataLocation, versionId, schemaId, sqlText, dialect);
    }
}
