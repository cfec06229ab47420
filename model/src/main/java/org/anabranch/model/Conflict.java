package org.anabranch.model;

import org.jspecify.annotations.Nullable;

/**
 * One reason why an operation was refused.
 *
 * @param key null only for {@link ConflictType#UNEXPECTED_HASH}
 * @param message one clause without a full stop, starting in lower case, that names the key
 */
public record Conflict(ConflictType conflictType, @Nullable ContentKey key, String message) {}
