package org.anabranch.api.v2;

import java.util.Iterator;
import org.anabranch.model.Content;
import org.anabranch.model.ContentKey;

/**
 * Those of the keys asked for that hold something, and the commit they were read at.
 *
 * @param contents in key order; read while the answer is written
 */
public record GetContentsResponse(Iterator<ContentWithKey> contents, ReferenceBody effectiveReference) {

    /** A key and what it holds. */
    public record ContentWithKey(ContentKey key, Content content) {}
}
