package org.anabranch.versioning.read;

import org.anabranch.model.CommitId;
import org.anabranch.model.RefusedException;
import org.anabranch.object.ObjectReader;
import org.anabranch.versioning.refs.ResolvedReference;

/** Puts a reference back to the commit that the first page of a listing showed. */
final class Pins {

    private Pins() {}

    static ResolvedReference at(ResolvedReference asked, CommitId first, ObjectReader reader) {
        if (asked.commit().id().equals(first)) {
            return asked;
        }
        return new ResolvedReference(
                asked.row(),
                reader.findCommit(first)
                        .orElseThrow(() -> RefusedException.referenceNotFound("Commit '" + first
                                + "' not found, which the page-token names: begin the listing anew")));
    }
}
