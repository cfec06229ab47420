package org.anabranch.model;

import org.jspecify.annotations.Nullable;

/**
 * A key of a commit and what it holds.
 *
 * @param content null where it was not asked for; else of that type and id
 */
public record Entry(
        ContentKey key,
        ContentType type,
        ContentId contentId,
        @Nullable Content content) {}
