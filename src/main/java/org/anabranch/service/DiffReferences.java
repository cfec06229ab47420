package org.anabranch.service;

import org.anabranch.model.Detail;
import org.anabranch.model.DiffEntry;
import org.anabranch.model.DiffRequest;
import org.anabranch.model.Page;
import org.anabranch.model.Reference;
import org.anabranch.security.Access;
import org.anabranch.versioning.read.DiffReader;
import org.anabranch.versioning.refs.HashRole;
import org.anabranch.versioning.refs.References;

/** Lists the keys that differ between two commits. Safe from many threads. */
public final class DiffReferences {

    /**
     * A page of the differences between two commits.
     *
     * @param from with the commit that was read: that of the first page, wherever the branch is now
     * @param to likewise
     * @param diffs in key order
     */
    public record Diff(Reference from, Reference to, Page<DiffEntry> diffs) {}

    private final References references;
    private final DiffReader differences;

    public DiffReferences(References references, DiffReader differences) {
        this.references = references;
        this.differences = differences;
    }

    /**
     * Reads one page.
     *
     * @throws org.anabranch.model.RefusedException 404 if a reference or its hash is not there, or not for the caller; 400 if
     *     the filter or the page token is not good
     */
    public Diff diff(DiffRequest request, Access access) {
        SeenCommit askedFrom = SeenCommit.resolve(references, access, request.from(), HashRole.FROM);
        SeenCommit askedTo = SeenCommit.resolve(references, access, request.to(), HashRole.TO);
        DiffReader.Sides pinned = SeenCommit.find(
                access,
                () -> differences.pinned(new DiffReader.Sides(askedFrom.resolved(), askedTo.resolved()), request));
        SeenCommit from = askedFrom.pinned(references, access, pinned::from);
        SeenCommit to = askedTo.pinned(references, access, pinned::to);
        DiffReader.Visible visible = new DiffReader.Visible(from.keys(access, Detail.ALL), to.keys(access, Detail.ALL));
        return new Diff(pinned.from().effective(), pinned.to().effective(), differences.page(pinned, request, visible));
    }
}
