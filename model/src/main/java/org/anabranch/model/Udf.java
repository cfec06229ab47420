package org.anabranch.model;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/** A user-defined function. */
public record Udf(
        @Nullable ContentId id,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String metadataLocation,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String versionId,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String signatureId,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String sqlText,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String dialect)
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
