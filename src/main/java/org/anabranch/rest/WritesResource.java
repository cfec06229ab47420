package org.anabranch.rest;

import com.google.common.collect.Lists;
import jakarta.ws.rs.core.HttpHeaders;
import java.util.List;
import java.util.function.Supplier;
import org.anabranch.api.v2.CommitBody;
import org.anabranch.api.v2.CommitMetaInput;
import org.anabranch.api.v2.CommitResponse;
import org.anabranch.api.v2.CommitResponse.AddedContent;
import org.anabranch.api.v2.KeyMergeModeBody;
import org.anabranch.api.v2.MergeBody;
import org.anabranch.api.v2.MergeOptions;
import org.anabranch.api.v2.MergeResponse;
import org.anabranch.api.v2.MergeResponse.KeyDetails;
import org.anabranch.api.v2.ReferenceBody;
import org.anabranch.api.v2.TransplantBody;
import org.anabranch.api.v2.WritesApi;
import org.anabranch.model.CommitId;
import org.anabranch.model.CommitOutcome;
import org.anabranch.model.CommitRequest;
import org.anabranch.model.GivenMeta;
import org.anabranch.model.HashSpec;
import org.anabranch.model.HeadKeptMoving;
import org.anabranch.model.Idempotency;
import org.anabranch.model.KeyMergeMode;
import org.anabranch.model.MergeOutcome;
import org.anabranch.model.MergeRequest;
import org.anabranch.model.Operation;
import org.anabranch.model.OutcomeUndecided;
import org.anabranch.model.RefSpec;
import org.anabranch.model.Reference;
import org.anabranch.model.ReferenceKind;
import org.anabranch.model.RefusedException;
import org.anabranch.model.TransplantRequest;
import org.anabranch.rest.error.UndecidedException;
import org.anabranch.service.CommitToBranch;
import org.anabranch.service.MergeIntoBranch;
import org.anabranch.service.TransplantOntoBranch;
import org.jspecify.annotations.Nullable;

/** Commit, merge and transplant. */
public final class WritesResource implements WritesApi {

    private final CommitToBranch commitToBranch;
    private final MergeIntoBranch mergeIntoBranch;
    private final TransplantOntoBranch transplantOntoBranch;
    private final Caller caller;
    private final IdempotencyHeader idempotency;
    private final Audit audit;
    private final Endings endings;

    WritesResource(
            CommitToBranch commitToBranch,
            MergeIntoBranch mergeIntoBranch,
            TransplantOntoBranch transplantOntoBranch,
            Caller caller,
            IdempotencyHeader idempotency,
            Audit audit,
            Endings endings) {
        this.commitToBranch = commitToBranch;
        this.mergeIntoBranch = mergeIntoBranch;
        this.transplantOntoBranch = transplantOntoBranch;
        this.caller = caller;
        this.idempotency = idempotency;
        this.audit = audit;
        this.endings = endings;
    }

    @Override
    public CommitResponse commit(String branch, HttpHeaders headers, @Nullable CommitBody operations) {
        CommitBody body = Parameters.requiredBody("operations", operations);
        CommitRequest request = new CommitRequest(
                Parameters.reference("branch", branch),
                MetaHeaders.applied(given(body.commitMeta()), headers),
                body.operations());
        Idempotency repeat = idempotency.find();
        CommitOutcome outcome = audit.write(
                new Audit.Write("commit", request.branch(), Lists.transform(request.operations(), Operation::key)),
                () -> commitToBranch.commit(request, caller.access(), repeat),
                ended -> endings.of(request, ended));
        return switch (outcome) {
            case CommitOutcome.Committed committed -> answer(committed);
            case CommitOutcome.Conflicted conflicted ->
                throw RefusedException.conflict(conflicted.message(), conflicted.conflicts());
            case HeadKeptMoving gaveUp -> throw RefusedException.conflict(gaveUp.message(), List.of());
            case OutcomeUndecided undecided -> throw undecided(undecided);
        };
    }

    @Override
    public MergeResponse merge(String branch, HttpHeaders headers, @Nullable MergeBody merge) {
        MergeBody body = Parameters.requiredBody("merge", merge);
        MergeRequest request = new MergeRequest(
                Parameters.reference("branch", branch),
                source(body.fromRefName(), body.fromHash()),
                MetaHeaders.applied(given(body.message(), body.commitMeta()), headers),
                body.options().defaultMode(),
                modes(body.options()),
                body.options().dryRun());
        Idempotency repeat = idempotency.find();
        return answer(
                audited(
                        "merge",
                        request.target(),
                        body.options(),
                        () -> mergeIntoBranch.merge(request, caller.access(), repeat),
                        audit,
                        endings),
                body.options().conflictsAsResult());
    }

    @Override
    public MergeResponse transplant(String branch, HttpHeaders headers, @Nullable TransplantBody transplant) {
        TransplantBody body = Parameters.requiredBody("transplant", transplant);
        String message = MetaHeaders.applied(GivenMeta.ofMessage(body.message() == null ? "" : body.message()), headers)
                .message();
        TransplantRequest request = new TransplantRequest(
                Parameters.reference("branch", branch),
                source(body.fromRefName(), null).name(),
                body.hashesToTransplant(),
                message.isEmpty() ? null : message,
                body.options().defaultMode(),
                modes(body.options()),
                body.options().dryRun());
        Idempotency repeat = idempotency.find();
        return answer(
                audited(
                        "transplant",
                        request.target(),
                        body.options(),
                        () -> transplantOntoBranch.transplant(request, caller.access(), repeat),
                        audit,
                        endings),
                body.options().conflictsAsResult());
    }

    /** Tries a merge, transplant or revert with a trail of it. */
    static MergeOutcome audited(
            String operation,
            RefSpec target,
            MergeOptions options,
            Supplier<MergeOutcome> attempt,
            Audit audit,
            Endings endings) {
        Audit.Write what =
                new Audit.Write(operation, target, Lists.transform(options.keyModes(), KeyMergeModeBody::key));
        return options.dryRun()
                ? audit.rehearse(what, attempt)
                : audit.write(what, attempt, outcome -> endings.of(target, outcome));
    }

    private static RefSpec source(String name, @Nullable HashSpec hash) {
        return new RefSpec(name.equals("DETACHED") ? null : name, hash == null ? HashSpec.HEAD : hash);
    }

    static List<KeyMergeMode> modes(MergeOptions options) {
        return options.keyModes().stream().map(KeyMergeModeBody::toMode).toList();
    }

    /** The metadata of a body, whose message is the next best after the one in the metadata. */
    static GivenMeta given(@Nullable String message, @Nullable CommitMetaInput commitMeta) {
        if (commitMeta == null) {
            return GivenMeta.ofMessage(Parameters.orEmpty(message));
        }
        GivenMeta meta = given(commitMeta);
        return meta.message().isEmpty()
                ? new GivenMeta(
                        Parameters.orEmpty(message),
                        meta.authors(),
                        meta.authorTime(),
                        meta.signedOffBy(),
                        meta.properties())
                : meta;
    }

    private static GivenMeta given(CommitMetaInput meta) {
        return new GivenMeta(
                meta.message(), meta.authors(), meta.authorTime(), meta.allSignedOffBy(), meta.allProperties());
    }

    private static CommitResponse answer(CommitOutcome.Committed committed) {
        List<AddedContent> added = committed.newIds().entrySet().stream()
                .map(entry -> new AddedContent(entry.getKey(), entry.getValue()))
                .toList();
        return new CommitResponse(
                ReferenceBody.of(new Reference.Named(ReferenceKind.BRANCH, committed.branch(), committed.head())),
                added.isEmpty() ? null : added);
    }

    static MergeResponse answer(MergeOutcome outcome, boolean conflictsAsResult) {
        return switch (outcome) {
            case MergeOutcome.Merged merged -> answer(merged.report(), true, true, merged.head());
            case MergeOutcome.NothingToDo nothing ->
                answer(nothing.report(), false, true, nothing.report().evaluatedHead());
            case MergeOutcome.WouldMerge wouldMerge -> answer(wouldMerge.report(), false, true, null);
            case MergeOutcome.Conflicted conflicted -> {
                if (!conflictsAsResult) {
                    throw RefusedException.conflict(conflicted.message(), conflicted.conflicts());
                }
                yield answer(conflicted.report(), false, false, null);
            }
            case MergeOutcome.NamespacesConflicted conflicted ->
                throw RefusedException.conflict(conflicted.message(), conflicted.conflicts());
            case HeadKeptMoving gaveUp -> throw RefusedException.conflict(gaveUp.message(), List.of());
            case OutcomeUndecided undecided -> throw undecided(undecided);
        };
    }

    private static MergeResponse answer(
            MergeOutcome.Report report, boolean applied, boolean successful, @Nullable CommitId head) {
        return new MergeResponse(
                applied,
                successful,
                head,
                report.commonAncestor(),
                report.targetBranch(),
                report.evaluatedHead(),
                report.expected(),
                report.keys().stream()
                        .map(key -> new KeyDetails(key.key(), key.mode(), key.conflict()))
                        .toList());
    }

    private static UndecidedException undecided(OutcomeUndecided undecided) {
        return new UndecidedException(undecided.message());
    }
}
