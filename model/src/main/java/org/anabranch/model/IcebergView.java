package org.anabranch.model;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import org.jspecify.annotations.Nullable;

/** An Iceberg view: where its metadata lies, and which version and schema in it are current. */
public record IcebergView(
        @Nullable ContentId id,
        @JsonProperty(required = true) String metadataLocation,
        @JsonProperty(required = true) long versionId,
        @JsonProperty(required = true) int schemaId,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String sqlText,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String dialect)
        implements Content {

    public IcebergView {
        Checks.required("metadataLocation", metadataLocation);
    }

    @Override
    public ContentType type() {
        return ContentType.ICEBERG_VIEW;
    }

    @Override
    public IcebergView withId(ContentId id) {
        return new IcebergView(id, metadataLocation, versionId, schemaId, sqlText, dialect);
    }
}
