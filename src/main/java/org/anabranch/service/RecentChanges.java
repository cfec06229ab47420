package org.anabranch.service;

import org.anabranch.model.RecentHeads;
import org.anabranch.model.RefSpec;
import org.anabranch.model.RefusedException;
import org.anabranch.versioning.refs.RecentHeadsReader;
import org.anabranch.versioning.refs.References;

/** Tells where a branch or tag was lately. Safe from many threads. */
public final class RecentChanges {

    private final References references;
    private final RecentHeadsReader heads;

    public RecentChanges(References references, RecentHeadsReader heads) {
        this.references = references;
        this.heads = heads;
    }

    /**
     * Reads the recorded heads of a branch or tag.
     *
     * @param scanCommits how many commits of its line are looked at; none if 0 or less
     * @throws RefusedException 400 if a hash or steps are given; 404 if there is no such reference
     */
    public RecentHeads read(RefSpec reference, int scanCommits) {
        if (reference.isDetached() || !reference.commit().isHead()) {
            throw RefusedException.badRequest("Hashes are not allowed when fetching a reference history");
        }
        return heads.read(references.row(reference), scanCommits);
    }
}
