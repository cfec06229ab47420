package org.anabranch.gc;

import org.anabranch.model.ContentKey;

/**
 * A key with what it points at, in the tree of a commit or put by one.
 *
 * @param contentId as the catalog has it; servers need not give UUIDs
 */
public record CatalogEntry(ContentKey key, String contentId, CatalogContent content) {}
