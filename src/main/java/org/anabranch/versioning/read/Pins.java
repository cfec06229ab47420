package org.anabranch.versioning.read;

import org.anabranch.model.CommitId;
import org.anabranch.model.RefusedException;
import org.anabranch.object.ObjectReader;
import org.anabranch.versioning.refs.ResolvedReference;

/** Puts a reference back to the commit that a page token names. */
public final class Pins {

    private Pins() {}

    static ResolvedReference at(ResolvedReference asked, CommitId first, ObjectReader reader) {
        if (asked.commit().id().equals(first)) {
            return asked;
        }
        return new ResolvedReference(asked.row(), reader.findCommit(first).orElseThrow(() -> gone(first)));
    }

    /** The 404 for a commit of a page token that is not there any more, or that a caller may not read. */
    public static RefusedException gone(CommitId first) {
        return RefusedException.referenceNotFound(
                "Commit '" + first + "' not found, which the page-token names: begin the listing anew");
    }
}
