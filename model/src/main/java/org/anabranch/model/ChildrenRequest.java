package org.anabranch.model;

import org.jspecify.annotations.Nullable;

/**
 * Asks for the keys directly below a key.
 *
 * @param parent null for the keys of one element
 * @param detail {@link Detail#ALL} for the contents too
 * @param maxRecords of the page; no limit if 0 or less
 * @param pageToken of the page before, which was asked for with the same parameters; empty for the first page
 */
public record ChildrenRequest(
        RefSpec reference, @Nullable ContentKey parent, Detail detail, int maxRecords, String pageToken) {}
