package org.anabranch.service;

import org.anabranch.model.ChangedEntry;
import org.anabranch.model.ChildrenRequest;
import org.anabranch.model.Page;
import org.anabranch.model.Reference;
import org.anabranch.versioning.read.ChildReader;
import org.anabranch.versioning.refs.HashRole;
import org.anabranch.versioning.refs.References;
import org.anabranch.versioning.refs.ResolvedReference;

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
     * @throws org.anabranch.model.RefusedException 404 if the reference or its hash is not there; 400 if the page token is not
     *     good
     */
    public Listed list(ChildrenRequest request) {
        ResolvedReference asked = references.resolve(request.reference(), HashRole.EXPECTED);
        ResolvedReference read = children.pinned(asked, request);
        return new Listed(read.effective(), children.page(read, request));
    }
}
