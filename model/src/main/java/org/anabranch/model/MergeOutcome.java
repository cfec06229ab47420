package org.anabranch.model;

import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** How a {@link MergeRequest} or a {@link TransplantRequest} ended. */
public sealed interface MergeOutcome
        permits MergeOutcome.Merged,
                MergeOutcome.NothingToDo,
                MergeOutcome.WouldMerge,
                MergeOutcome.Conflicted,
                MergeOutcome.NamespacesConflicted,
                HeadKeptMoving,
                OutcomeUndecided {

    /**
     * What became of one key: of those that are written or deleted, in conflict, left out by a mode, or named with
     * {@link MergeMode#DROP}. Keys that are alike on both sides are not listed.
     */
    record KeyResult(
            ContentKey key, MergeMode mode, @Nullable Conflict conflict) {}

    /**
     * What every ending says.
     *
     * @param targetBranch the branch's own name
     * @param evaluatedHead the head that the operation was judged on
     * @param expected the commit that the caller saw on the branch
     * @param commonAncestor the merge base, the first by generation if there are several; null for a transplant
     * @param keys in key order
     */
    record Report(
            String targetBranch,
            CommitId evaluatedHead,
            CommitId expected,
            @Nullable CommitId commonAncestor,
            List<KeyResult> keys) {
        public Report {
            keys = List.copyOf(keys);
        }
    }

    /** The new commits are durable and visible; {@code head} is the last of them. */
    record Merged(Report report, CommitId head) implements MergeOutcome, AppliedResult {}

    /**
     * The target has everything already, or every key was dropped; the head stays as it is and nothing was written. A dry run
     * ends so only if the source is merged already.
     */
    record NothingToDo(Report report) implements MergeOutcome {}

    /** A dry run that found no conflict. */
    record WouldMerge(Report report) implements MergeOutcome {}

    /** Keys changed differently on both sides; the report says which. Nothing was written. */
    record Conflicted(Report report) implements MergeOutcome {

        /** The conflicts, in key order; never empty. */
        public List<Conflict> conflicts() {
            return report.keys().stream()
                    .filter(key -> key.conflict() != null)
                    .map(KeyResult::conflict)
                    .toList();
        }

        /** Names the keys in conflict, sorted. */
        public String message() {
            return conflicts().stream()
                    .map(conflict -> "'" + conflict.key() + "'")
                    .collect(Collectors.joining(", ", "The following keys have been changed in conflict: ", ""));
        }
    }

    /**
     * The target would break the rules of namespaces. Always an error, also for callers who want conflicts as a result. Nothing
     * was written.
     */
    record NamespacesConflicted(List<Conflict> conflicts) implements MergeOutcome {
        public NamespacesConflicted {
            conflicts = List.copyOf(conflicts);
        }

        /** All conflicts in one sentence. */
        public String message() {
            return Conflict.sentence(conflicts);
        }
    }
}
