package org.anabranch.model;

/**
 * A reference was created, assigned or deleted.
 *
 * @param reference as it was afterwards; a deleted one as it was before
 * @param incarnation of the reference: one that is created again under the same name has another
 */
public record ReferenceChanged(Kind kind, Reference.Named reference, long incarnation) implements AppliedResult {

    /** What happened to the reference. */
    public enum Kind {
        CREATED,
        ASSIGNED,
        DELETED
    }
}
