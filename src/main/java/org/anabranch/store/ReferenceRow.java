package org.anabranch.store;

import java.util.Collections;
import java.util.List;
import org.anabranch.model.Reference;
import org.anabranch.model.ReferenceKind;

/**
 * A branch or tag as it is stored.
 *
 * @param name unique among branches and tags together
 * @param incarnation new at every create, from {@link Store#numbers}: a reference created again under an old name is
 *     another one
 * @param version 1 at creation, one more at every move
 * @param createdAtMicros in microseconds since the epoch
 * @param published earlier heads, newest first, each with the time it was replaced; handed over, not shared
 */
public record ReferenceRow(
        String name,
        ReferenceKind kind,
        Head head,
        long incarnation,
        long version,
        long createdAtMicros,
        List<PublishedHead> published) {

    public ReferenceRow {
        // Not copied: a store may hand over a list that decodes what is looked at.
        published = Collections.unmodifiableList(published);
    }

    /**
     * This reference after a move.
     *
     * @param earlier heads, newest first
     */
    public ReferenceRow movedTo(Head next, List<PublishedHead> earlier) {
        return new ReferenceRow(name, kind, next, incarnation, version + 1, createdAtMicros, earlier);
    }

    /** This reference as answers name it. */
    public Reference.Named reference() {
        return new Reference.Named(kind, name, head.id());
    }
}
