package org.anabranch.service;

import java.util.List;
import org.anabranch.model.Conflict;
import org.anabranch.model.ConflictType;
import org.anabranch.model.VisibleKeys;
import org.anabranch.security.Access;
import org.anabranch.security.Check;

/** Keeps what a caller may not read of a branch out of what they are told about their own changes. */
record HiddenKeys(VisibleKeys visible) {

    static HiddenKeys of(Access access, String branch) {
        return new HiddenKeys(access.visible(Check.READ_CONTENT_KEY, branch));
    }

    /**
     * The conflicts of a change without what keys hold that it does not name. Only namespaces are such: that one is missing is
     * told, because nobody could write below it otherwise; that it is something else is not.
     */
    List<Conflict> redacted(List<Conflict> conflicts) {
        return conflicts.stream()
                .map(conflict -> conflict.conflictType() == ConflictType.NOT_A_NAMESPACE
                                && conflict.key() != null
                                && !CommitQuestions.showsAll(visible, conflict.key())
                        ? Conflict.of(ConflictType.NAMESPACE_ABSENT, conflict.key())
                        : conflict)
                .toList();
    }
}
