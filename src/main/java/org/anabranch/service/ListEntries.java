package org.anabranch.service;

import org.anabranch.model.EntriesRequest;
import org.anabranch.model.Entry;
import org.anabranch.model.Page;
import org.anabranch.model.Reference;
import org.anabranch.security.Access;
import org.anabranch.security.Check;
import org.anabranch.versioning.read.EntryReader;
import org.anabranch.versioning.refs.HashRole;
import org.anabranch.versioning.refs.References;

/** Lists the keys of a commit. Safe from many threads. */
public final class ListEntries {

    /**
     * A page of the entries of one commit.
     *
     * @param reference with the commit that was read: that of the first page, wherever the branch is now
     * @param entries in key order
     */
    public record Listed(Reference reference, Page<Entry> entries) {}

    private final References references;
    private final EntryReader entries;

    public ListEntries(References references, EntryReader entries) {
        this.references = references;
        this.entries = entries;
    }

    /**
     * Reads one page.
     *
     * @throws org.anabranch.model.RefusedException 404 if the reference or its hash is not there, or not for the caller; 403 if
     *     they may not list it; 400 if the filter or the page token is not good
     */
    public Listed list(EntriesRequest request, Access access) {
        SeenCommit asked = SeenCommit.resolve(references, access, request.reference(), HashRole.EXPECTED);
        SeenCommit read = asked.pinned(references, access, () -> entries.pinned(asked.resolved(), request));
        read.require(access, Check.READ_ENTRIES);
        return new Listed(
                read.resolved().effective(),
                entries.page(read.resolved(), request, read.keys(access, request.detail())));
    }
}
