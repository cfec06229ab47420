package org.anabranch.object;

import java.util.List;
import org.anabranch.model.CommitId;
import org.anabranch.model.ReferenceKind;

/**
 * A branch or tag without what belongs to the store that it is kept in.
 *
 * @param createdAtMicros in microseconds since the epoch
 * @param published earlier heads, newest first
 */
public record ExportedReference(
        ReferenceKind kind, String name, CommitId head, long createdAtMicros, List<EarlierHead> published) {

    /** A head that a reference had, and when it was replaced, in microseconds since the epoch. */
    public record EarlierHead(CommitId head, long publishedAtMicros) {}

    public ExportedReference {
        published = List.copyOf(published);
    }
}
