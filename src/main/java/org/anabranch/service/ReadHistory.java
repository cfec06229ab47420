package org.anabranch.service;

import org.anabranch.model.HistoryRequest;
import org.anabranch.model.LogEntry;
import org.anabranch.model.Page;
import org.anabranch.security.Access;
import org.anabranch.security.Check;
import org.anabranch.versioning.read.HistoryReader;
import org.anabranch.versioning.refs.HashRole;
import org.anabranch.versioning.refs.References;

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
     *     page token is not there, or not for the caller; 403 if they may not read it; 400 if the filter or the page token is not good
     */
    public Page<LogEntry> read(HistoryRequest request, Access access) {
        SeenCommit asked = SeenCommit.resolve(references, access, request.reference(), HashRole.YOUNGEST);
        SeenCommit from = asked.pinned(references, access, () -> history.pinned(asked.resolved(), request));
        from.require(access, Check.LIST_COMMIT_LOG);
        if (request.limit() != null) {
            from.requireSeen(references, access, request.limit());
        }
        return history.page(from.resolved(), request, from.keys(access, request.detail()));
    }
}
