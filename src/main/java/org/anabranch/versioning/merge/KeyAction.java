package org.anabranch.versioning.merge;

import org.anabranch.model.ContentKey;
import org.anabranch.model.ContentType;

/**
 * One thing that a merge, transplant or revert does to a key, or may do, depending on what the target holds when it is published.
 *
 * @param type of the content that is read, created, updated or deleted
 */
public record KeyAction(ContentKey key, Kind kind, ContentType type) {

    /** What is done. */
    public enum Kind {
        /** What the source holds, or held before, is made known to whoever reads the target. */
        READ_AT_SOURCE,
        CREATE,
        UPDATE,
        DELETE,
        /** What the target holds does not count. */
        FORCE
    }
}
