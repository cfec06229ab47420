package org.anabranch.model;

import org.jspecify.annotations.Nullable;

/**
 * A branch or tag in a listing.
 *
 * @param metadata null where it was not asked for, and for a reference without commits
 */
public record ListedReference(
        Reference.Named reference, @Nullable ReferenceMetadata metadata) {}
