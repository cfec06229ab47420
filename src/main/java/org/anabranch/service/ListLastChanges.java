package org.anabranch.service;

import org.anabranch.model.ChangedEntry;
import org.anabranch.model.EntriesRequest;
import org.anabranch.model.Page;
import org.anabranch.model.Reference;
import org.anabranch.versioning.read.EntryReader;
import org.anabranch.versioning.refs.HashRole;
import org.anabranch.versioning.refs.References;
import org.anabranch.versioning.refs.ResolvedReference;

/** Lists the keys of a commit with the commits that last changed them. Safe from many threads. */
public final class ListLastChanges {

    /**
     * A page of the entries of one commit.
     *
     * @param reference with the commit that was read: that of the first page, wherever the branch is now
     * @param entries in key order
     */
    public record Listed(Reference reference, Page<ChangedEntry> entries) {}

    private final References references;
    private final EntryReader entries;

    public ListLastChanges(References references, EntryReader entries) {
        this.references = references;
        this.entries = entries;
    }

    /**
     * Reads one page.
     *
     * @throws org.anabranch.model.RefusedException 404 if the reference or its hash is not there; 400 if the filter or the
     *     page token is not good
     */
    public Listed list(EntriesRequest request) {
        ResolvedReference asked = references.resolve(request.reference(), HashRole.EXPECTED);
        ResolvedReference read = entries.pinned(asked, request);
        return new Listed(read.effective(), entries.changedPage(read, request));
    }
}
