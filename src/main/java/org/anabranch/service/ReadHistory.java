package org.anabranch.service;

import org.anabranch.model.HistoryRequest;
import org.anabranch.model.LogEntry;
import org.anabranch.model.Page;
import org.anabranch.versioning.read.HistoryReader;
import org.anabranch.versioning.refs.HashRole;
import org.anabranch.versioning.refs.References;
import org.anabranch.versioning.refs.ResolvedReference;

/** Reads the history of a commit. Safe from many threads. */
public final class ReadHistory {

    private final References references;
    private final HistoryReader history;

    public ReadHistory(References references, HistoryReader history) {
        this.references = references;
        this.history = history;
    }

    /**
     * Reads one page of the first-parent line, youngest first; the commit before the first one is never shown.
     *
     * @throws org.anabranch.model.RefusedException 404 if the reference, its hash, a limit with steps, or the commit of the
     *     page token is not there; 400 if the filter or the page token is not good
     */
    public Page<LogEntry> read(HistoryRequest request) {
        ResolvedReference from = references.resolve(request.reference(), HashRole.YOUNGEST);
        return history.page(from, request);
    }
}
