package org.anabranch.model;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import org.jspecify.annotations.Nullable;

/**
 * What a key points at: one immutable state of a table, view, namespace or function.
 *
 * <p>In JSON the field {@code type} says which one it is, at any position and in exact case.
 *
 * <p>Two contents are the same value if type, id and all fields agree, which is what {@code equals} says.
 */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonSubTypes({
    @JsonSubTypes.Type(value = IcebergTable.class, name = "ICEBERG_TABLE"),
    @JsonSubTypes.Type(value = IcebergView.class, name = "ICEBERG_VIEW"),
    @JsonSubTypes.Type(value = DeltaLakeTable.class, name = "DELTA_LAKE_TABLE"),
    @JsonSubTypes.Type(value = Namespace.class, name = "NAMESPACE"),
    @JsonSubTypes.Type(value = Udf.class, name = "UDF")
})
public sealed interface Content permits IcebergTable, IcebergView, DeltaLakeTable, Namespace, Udf {

    ContentType type();

    /** Null only in a request that creates the content. */
    @Nullable
    ContentId id();

    /** The same state under another id. */
    Content withId(ContentId id);
}
