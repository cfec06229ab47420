package org.anabranch.model;

import org.jspecify.annotations.Nullable;

/** A user-defined function. */
public record Udf(
        @Nullable ContentId id,
        @Nullable String metadataLocation,
        @Nullable String versionId,
        @Nullable String signatureId,
        @Nullable String sqlText,
        @Nullable String dialect)
        implements Content {

    @Override
    public ContentType type() {
        return ContentType.UDF;
    }

    @Override
    public Udf withId(ContentId id) {
        return new Udf(id, metadataLocation, versionId, signatureId, sqlText, dialect);
    }
}
