package org.anabranch.service;

import java.util.List;
import org.anabranch.model.Conflict;
import org.anabranch.model.ConflictType;
import org.anabranch.model.ContentKey;
import org.anabranch.model.VisibleKeys;
import org.anabranch.security.Access;
import org.anabranch.security.Check;

/** Keeps what a caller may not read of a branch out of what they are told about their own changes. */
record HiddenKeys(VisibleKeys visible) {

    static HiddenKeys of(Access access, String branch) {
        return new HiddenKeys(access.visible(Check.READ_CONTENT_KEY, branch));
    }

    List<Conflict> redacted(List<Conflict> conflicts) {
        return conflicts.stream().map(this::redacted).toList();
    }

    /**
     * A conflict without what its key holds. Of a namespace that a change does not name, only that it is missing is told, because
     * nobody could write below it otherwise. Of a key that it does, only whether that holds something: not how it differs from what
     * it held, or from a content that the request guesses.
     */
    Conflict redacted(Conflict conflict) {
        ContentKey key = conflict.key();
        if (key == null) {
            return conflict;
        }
        return switch (conflict.conflictType()) {
            case NOT_A_NAMESPACE ->
                CommitQuestions.showsAll(visible, key) ? conflict : Conflict.of(ConflictType.NAMESPACE_ABSENT, key);
            case PAYLOAD_DIFFERS, CONTENT_ID_DIFFERS, VALUE_DIFFERS ->
                visible.showsSome(key) ? conflict : Conflict.of(ConflictType.KEY_EXISTS, key);
            default -> conflict;
        };
    }
}
