package org.anabranch.service;

import java.util.List;
import org.anabranch.model.RecentHeads;
import org.anabranch.model.RecentHeads.RecentHead;
import org.anabranch.model.RefSpec;
import org.anabranch.model.RefusedException;
import org.anabranch.security.Access;
import org.anabranch.security.Question;
import org.anabranch.store.ReferenceRow;
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
     * Reads the recorded heads of a branch or tag. Of an earlier head that it does not reach any more, a caller who may not read
     * commits by their hashes gets nothing but the hash, and so does one who may not read the log of any.
     *
     * @param scanCommits how many commits of its line are looked at; none if 0 or less
     * @throws RefusedException 400 if a hash or steps are given; 404 if there is no such reference, or not for the caller
     */
    public RecentHeads read(RefSpec reference, int scanCommits, Access access) {
        if (reference.isDetached() || !reference.commit().isHead()) {
            throw RefusedException.badRequest("Hashes are not allowed when fetching a reference history");
        }
        SeenCommit.requireViewed(references, access, reference);
        ReferenceRow row = references.row(reference);
        RecentHeads recent = heads.read(row, scanCommits);
        if (!access.readsLog(row.name())) {
            return new RecentHeads(
                    recent.reference(),
                    withoutHeader(recent.current()),
                    recent.previous().stream().map(RecentChanges::withoutHeader).toList(),
                    recent.line());
        }
        if (access.readsEverything() || access.views(Question.DETACHED)) {
            return recent;
        }
        List<RecentHead> previous = recent.previous().stream()
                .map(head -> head.header() == null
                                || references.reaches(row, head.hash().toString())
                        ? head
                        : withoutHeader(head))
                .toList();
        return new RecentHeads(recent.reference(), recent.current(), previous, recent.line());
    }

    private static RecentHead withoutHeader(RecentHead head) {
        return new RecentHead(head.hash(), head.consistency(), null);
    }
}
