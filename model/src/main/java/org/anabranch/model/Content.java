package org.anabranch.model;

import org.jspecify.annotations.Nullable;

/**
 * What a key points at: one immutable state of a table, view, namespace or function.
 *
 * <p>Two contents are the same value if type, id and all fields agree, which is what {@code equals} says.
 */
public sealed interface Content permits IcebergTable, IcebergView, DeltaLakeTable, Namespace, Udf {

    ContentType type();

    /** Null only in a request that creates the content. */
    @Nullable
    ContentId id();

    /** The same state under another id. */
    Content withId(ContentId id);
}
