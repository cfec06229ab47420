package org.anabranch.model;

import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** How a {@link CommitRequest} ended. */
public sealed interface CommitOutcome
        permits CommitOutcome.Committed, CommitOutcome.Conflicted, HeadKeptMoving, OutcomeUndecided {

    /**
     * The commit is durable and visible.
     *
     * @param branch the branch's own name, also if it was addressed as {@code -}
     * @param head the new commit; the branch may have moved on since
     * @param newIds the content ids given by the server, by key; empty if none was
     */
    record Committed(String branch, CommitId head, SortedMap<ContentKey, ContentId> newIds)
            implements CommitOutcome, AppliedResult {
        public Committed {
            newIds = Collections.unmodifiableSortedMap(new TreeMap<>(newIds));
        }
    }

    /**
     * The branch is not as the caller believes; nothing was written.
     *
     * @param conflicts never empty; deletions first, then expectations, then puts, each in the order of the request. Conflicts
     *     of namespaces come alone
     */
    record Conflicted(List<Conflict> conflicts) implements CommitOutcome {
        public Conflicted {
            conflicts = List.copyOf(conflicts);
        }

        /** All conflicts in one sentence. */
        public String message() {
            return Conflict.sentence(conflicts);
        }
    }
}
