package org.anabranch.service;

import org.anabranch.model.ChangedEntry;
import org.anabranch.model.ChildrenRequest;
import org.anabranch.model.Page;
import org.anabranch.model.Reference;
import org.anabranch.security.Access;
import org.anabranch.security.Check;
import org.anabranch.versioning.read.ChildReader;
import org.anabranch.versioning.refs.HashRole;
import org.anabranch.versioning.refs.References;

/** Lists what lies directly below a key. Safe from many threads. */
public final class ListChildren {

    /**
     * A page of the children of a key.
     *
     * @param reference with the commit that was read: that of the first page, wherever the branch is now
     * @param children in key order
     */
    public record Listed(Reference reference, Page<ChangedEntry> children) {}

    private final References references;
    private final ChildReader children;

    public ListChildren(References references, ChildReader children) {
        this.references = references;
        this.children = children;
    }

    /**
     * Reads one page.
     *
     * @throws org.anabranch.model.RefusedException 404 if the reference or its hash is not there, or not for the caller; 403 if
     *     they may not list it; 400 if the page token is not good
     */
    public Listed list(ChildrenRequest request, Access access) {
        SeenCommit asked = SeenCommit.resolve(references, access, request.reference(), HashRole.EXPECTED);
        SeenCommit read = asked.pinned(references, access, () -> children.pinned(asked.resolved(), request));
        read.require(access, Check.READ_ENTRIES, Check.LIST_COMMIT_LOG);
        return new Listed(
                read.resolved().effective(),
                children.page(read.resolved(), request, read.keys(access, request.detail())));
    }
}
