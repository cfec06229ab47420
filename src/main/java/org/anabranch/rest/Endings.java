package org.anabranch.rest;

import jakarta.inject.Singleton;
import java.util.Collection;
import java.util.List;
import org.anabranch.model.CommitId;
import org.anabranch.model.CommitOutcome;
import org.anabranch.model.CommitRequest;
import org.anabranch.model.Conflict;
import org.anabranch.model.ContentKey;
import org.anabranch.model.HeadKeptMoving;
import org.anabranch.model.MergeMode;
import org.anabranch.model.MergeOutcome;
import org.anabranch.model.MergeOutcome.KeyResult;
import org.anabranch.model.MergeOutcome.Report;
import org.anabranch.model.Operation;
import org.anabranch.model.OutcomeUndecided;
import org.anabranch.model.RefSpec;
import org.anabranch.model.Reference;
import org.anabranch.rest.Audit.Ending;
import org.anabranch.rest.AuditEntry.Effect;
import org.anabranch.rest.AuditEntry.Outcome;
import org.anabranch.service.PreviousHeads;
import org.jspecify.annotations.Nullable;

/** What the trail says of the outcomes of writes. */
@Singleton
public final class Endings {

    private final PreviousHeads heads;

    Endings(PreviousHeads heads) {
        this.heads = heads;
    }

    Ending of(CommitRequest request, CommitOutcome outcome) {
        List<ContentKey> keys =
                request.operations().stream().map(Operation::key).distinct().toList();
        return switch (outcome) {
            case CommitOutcome.Committed committed ->
                new Ending(
                        committed.branch(),
                        keys,
                        Effect.done(heads.before(committed.head()).orElse(null), committed.head()));
            case CommitOutcome.Conflicted conflicted ->
                inConflict(name(request.branch()), conflicted.conflicts(), conflicted.message());
            case HeadKeptMoving gaveUp -> gaveUp(gaveUp, keys);
            case OutcomeUndecided undecided -> undecided(undecided, keys);
        };
    }

    Ending of(RefSpec target, MergeOutcome outcome) {
        return switch (outcome) {
            case MergeOutcome.Merged merged ->
                of(merged.report(), Effect.done(merged.report().evaluatedHead(), merged.head()));
            case MergeOutcome.NothingToDo nothing -> of(nothing.report(), Effect.of(Outcome.UNCHANGED, ""));
            case MergeOutcome.WouldMerge rehearsed -> of(rehearsed.report(), Effect.of(Outcome.UNCHANGED, ""));
            case MergeOutcome.Conflicted conflicted ->
                inConflict(conflicted.report().targetBranch(), conflicted.conflicts(), conflicted.message());
            case MergeOutcome.NamespacesConflicted conflicted ->
                inConflict(name(target), conflicted.conflicts(), conflicted.message());
            case HeadKeptMoving gaveUp -> gaveUp(gaveUp, List.of());
            case OutcomeUndecided undecided -> undecided(undecided, List.of());
        };
    }

    /** @param oldHead where the reference was; null if it was not there */
    static Ending of(Reference.Named reference, @Nullable CommitId oldHead, @Nullable CommitId newHead) {
        return new Ending(reference.name(), List.of(), Effect.done(oldHead, newHead));
    }

    private static Ending of(Report report, Effect effect) {
        List<ContentKey> changed = report.keys().stream()
                .filter(key -> key.mode() != MergeMode.DROP)
                .map(KeyResult::key)
                .toList();
        return new Ending(report.targetBranch(), changed, effect);
    }

    private static Ending inConflict(String branch, List<Conflict> conflicts, String message) {
        List<ContentKey> keys = conflicts.stream()
                .map(Conflict::key)
                .filter(key -> key != null)
                .distinct()
                .toList();
        return new Ending(branch, keys, Effect.of(Outcome.CONFLICT, message));
    }

    private static Ending gaveUp(HeadKeptMoving why, Collection<ContentKey> keys) {
        return new Ending(why.branch(), keys, Effect.of(Outcome.CONFLICT, why.message()));
    }

    private static Ending undecided(OutcomeUndecided why, Collection<ContentKey> keys) {
        return new Ending(why.branch(), keys, new Effect(Outcome.UNDECIDED, null, why.head(), why.message()));
    }

    private static String name(RefSpec spec) {
        return spec.name() == null ? "DETACHED" : spec.name();
    }
}
