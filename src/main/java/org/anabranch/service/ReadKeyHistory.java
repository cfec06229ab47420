package org.anabranch.service;

import java.util.ArrayList;
import java.util.List;
import org.anabranch.model.Detail;
import org.anabranch.model.KeyHistoryEntry;
import org.anabranch.model.KeyHistoryRequest;
import org.anabranch.model.Page;
import org.anabranch.model.RefusedException;
import org.anabranch.security.Access;
import org.anabranch.security.Check;
import org.anabranch.security.Question;
import org.anabranch.versioning.read.KeyHistoryReader;
import org.anabranch.versioning.refs.HashRole;
import org.anabranch.versioning.refs.References;

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
     * @throws RefusedException 404 if the reference, its hash or the commit of the page token is not there, or not for the caller, or
     *     no commit of the line ever held under the key what they may know of; 403 if they may know of nothing under it; 400
     *     if the page token is not good
     */
    public Page<KeyHistoryEntry> read(KeyHistoryRequest request, Access access) {
        SeenCommit asked = SeenCommit.resolve(references, access, request.reference(), HashRole.YOUNGEST);
        SeenCommit from = asked.pinned(references, access, () -> history.pinned(asked.resolved(), request));
        List<Question> questions = new ArrayList<>();
        questions.add(Question.ofReference(Check.LIST_COMMIT_LOG, from.voucher()));
        List<Check> checks = request.detail() == Detail.ALL
                ? List.of(Check.READ_CONTENT_KEY, Check.READ_ENTITY_VALUE)
                : List.of(Check.READ_CONTENT_KEY);
        for (Check check : checks) {
            questions.add(Question.ofKey(check, from.voucher(), request.key(), null));
        }
        access.require(questions);
        Page<KeyHistoryEntry> page = history.page(from.resolved(), request, from.keys(access, request.detail()));
        if (!page.hasNext()) {
            List<Question> whatever = new ArrayList<>();
            for (Check check : checks) {
                whatever.addAll(Question.ofAllTypes(check, from.voucher(), request.key()));
            }
            throw access.hidden(RefusedException.contentNotFound(request.key()), whatever);
        }
        return page;
    }
}
