package org.anabranch.service;

import org.anabranch.model.KeyHistoryEntry;
import org.anabranch.model.KeyHistoryRequest;
import org.anabranch.model.Page;
import org.anabranch.model.RefusedException;
import org.anabranch.versioning.read.KeyHistoryReader;
import org.anabranch.versioning.refs.HashRole;
import org.anabranch.versioning.refs.References;
import org.anabranch.versioning.refs.ResolvedReference;

/** Reads which commits changed a key. Safe from many threads. */
public final class ReadKeyHistory {

    private final References references;
    private final KeyHistoryReader history;

    public ReadKeyHistory(References references, KeyHistoryReader history) {
        this.references = references;
        this.history = history;
    }

    /**
     * Reads one page of the commits on the first-parent line that changed a key, youngest first. Costs as {@link
     * KeyHistoryReader#page}.
     *
     * @return not empty
     * @throws RefusedException 404 if the reference, its hash or the commit of the page token is not there, or no commit of the
     *     line ever held the key; 400 if the page token is not good
     */
    public Page<KeyHistoryEntry> read(KeyHistoryRequest request) {
        ResolvedReference from = references.resolve(request.reference(), HashRole.YOUNGEST);
        Page<KeyHistoryEntry> page = history.page(from, request);
        if (!page.hasNext()) {
            throw RefusedException.contentNotFound(request.key());
        }
        return page;
    }
}
