package org.anabranch.service;

import org.anabranch.model.Detail;
import org.anabranch.model.ListedReference;
import org.anabranch.model.RefSpec;
import org.anabranch.model.RefusedException;
import org.anabranch.security.Access;
import org.anabranch.versioning.refs.ReferenceListing;
import org.anabranch.versioning.refs.References;

/** Reads one branch or tag by its name. Safe from many threads. */
public final class GetReference {

    private final References references;
    private final ReferenceListing listing;

    public GetReference(References references, ReferenceListing listing) {
        this.references = references;
        this.listing = listing;
    }

    /**
     * Reads a branch or tag; its metadata only for a caller who may read its log.
     *
     * @throws RefusedException 400 if a hash or steps are given; 404 if there is no such reference, or not for the
     *     caller
     */
    public ListedReference get(RefSpec reference, Detail detail, Access access) {
        if (reference.isDetached() || !reference.commit().isHead()) {
            throw RefusedException.badRequest("Hashes are not allowed when fetching a reference by name");
        }
        SeenCommit.requireViewed(references, access, reference);
        return listing.describe(references.row(reference), detail, access::readsLog);
    }
}
