package org.anabranch.rest;

import com.google.common.collect.Iterators;
import java.util.List;
import org.anabranch.api.v2.CommitMetaBody;
import org.anabranch.api.v2.NextPage;
import org.anabranch.api.v2.RecentChangesResponse;
import org.anabranch.api.v2.RecentChangesResponse.State;
import org.anabranch.api.v2.ReferenceBody;
import org.anabranch.api.v2.ReferencesApi;
import org.anabranch.api.v2.ReferencesResponse;
import org.anabranch.api.v2.SingleReferenceResponse;
import org.anabranch.model.CommitId;
import org.anabranch.model.HashSpec;
import org.anabranch.model.Idempotency;
import org.anabranch.model.ListedReference;
import org.anabranch.model.Page;
import org.anabranch.model.RecentHeads;
import org.anabranch.model.RecentHeads.RecentHead;
import org.anabranch.model.RefSpec;
import org.anabranch.model.Reference;
import org.anabranch.model.ReferenceKind;
import org.anabranch.model.ReferenceName;
import org.anabranch.model.ReferencesRequest;
import org.anabranch.service.AssignReference;
import org.anabranch.service.CreateReference;
import org.anabranch.service.DeleteReference;
import org.anabranch.service.GetReference;
import org.anabranch.service.ListReferences;
import org.anabranch.service.RecentChanges;
import org.jspecify.annotations.Nullable;

/** Branches and tags. Listings are read while their answer is written. */
public final class ReferencesResource implements ReferencesApi {

    private final ListReferences listReferences;
    private final GetReference getReference;
    private final CreateReference createReference;
    private final AssignReference assignReference;
    private final DeleteReference deleteReference;
    private final RecentChanges recentChanges;
    private final Caller caller;
    private final IdempotencyHeader idempotency;
    private final AnswerTime answerTime;
    private final Audit audit;

    ReferencesResource(
            ListReferences listReferences,
            GetReference getReference,
            CreateReference createReference,
            AssignReference assignReference,
            DeleteReference deleteReference,
            RecentChanges recentChanges,
            Caller caller,
            IdempotencyHeader idempotency,
            AnswerTime answerTime,
            Audit audit) {
        this.listReferences = listReferences;
        this.getReference = getReference;
        this.createReference = createReference;
        this.assignReference = assignReference;
        this.deleteReference = deleteReference;
        this.recentChanges = recentChanges;
        this.caller = caller;
        this.idempotency = idempotency;
        this.answerTime = answerTime;
        this.audit = audit;
    }

    @Override
    public ReferencesResponse list(
            @Nullable String fetch, @Nullable String filter, @Nullable String maxRecords, @Nullable String pageToken) {
        Page<ListedReference> page = listReferences.list(
                new ReferencesRequest(
                        Parameters.fetch(fetch),
                        Parameters.orEmpty(filter),
                        Parameters.integer("max-records", maxRecords),
                        Parameters.orEmpty(pageToken)),
                caller.access());
        return new ReferencesResponse(
                Iterators.transform(answerTime.limited(page), ReferenceBody::of), NextPage.of(page::nextToken));
    }

    @Override
    public SingleReferenceResponse create(
            @Nullable String name, @Nullable String type, @Nullable ReferenceBody source) {
        ReferenceName newName = Parameters.newName(Parameters.required("name", name));
        ReferenceKind kind = Parameters.kind(Parameters.required("type", type));
        RefSpec start = source == null ? null : source.toRefSpec();
        Idempotency repeat = idempotency.find();
        return answer(audit.write(
                new Audit.Write("create-reference", new RefSpec(newName.value(), HashSpec.HEAD), List.of()),
                () -> createReference.create(newName, kind, start, caller.access(), repeat),
                created -> Endings.of(created, null, created.hash())));
    }

    @Override
    public SingleReferenceResponse get(String ref, @Nullable String fetch) {
        return new SingleReferenceResponse(ReferenceBody.of(
                getReference.get(Parameters.reference("ref", ref), Parameters.fetch(fetch), caller.access())));
    }

    @Override
    public SingleReferenceResponse assign(String ref, @Nullable String type, @Nullable ReferenceBody assignTo) {
        RefSpec reference = Parameters.reference("ref", ref);
        ReferenceKind kind = type == null ? null : Parameters.kind(type);
        RefSpec target = Parameters.requiredBody("assignTo", assignTo).toRefSpec();
        Idempotency repeat = idempotency.find();
        return answer(audit.write(
                new Audit.Write("assign-reference", reference, List.of()),
                () -> assignReference.assign(reference, kind, target, caller.access(), repeat),
                assigned -> Endings.of(assigned, expected(reference), assigned.hash())));
    }

    @Override
    public SingleReferenceResponse delete(String ref, @Nullable String type) {
        RefSpec reference = Parameters.reference("ref", ref);
        ReferenceKind kind = type == null ? null : Parameters.kind(type);
        Idempotency repeat = idempotency.find();
        return answer(audit.write(
                new Audit.Write("delete-reference", reference, List.of()),
                () -> deleteReference.delete(reference, kind, caller.access(), repeat),
                deleted -> Endings.of(deleted, deleted.hash(), null)));
    }

    /** Where a reference was that has been changed on this condition; null if it was said by steps. */
    private static @Nullable CommitId expected(RefSpec reference) {
        String hash = reference.commit().hash();
        return hash == null || !reference.commit().steps().isEmpty() ? null : CommitId.parse(hash);
    }

    @Override
    public RecentChangesResponse recentChanges(String ref, @Nullable String scanCommits) {
        RecentHeads heads = recentChanges.read(
                Parameters.reference("ref", ref), Parameters.integer("scan-commits", scanCommits), caller.access());
        return new RecentChangesResponse(
                ReferenceBody.of(heads.reference()),
                state(heads.current()),
                heads.previous().stream().map(ReferencesResource::state).toList(),
                heads.line());
    }

    private static State state(RecentHead head) {
        return new State(
                head.hash(), head.consistency(), head.header() == null ? null : CommitMetaBody.of(head.header()));
    }

    private static SingleReferenceResponse answer(Reference.Named reference) {
        return new SingleReferenceResponse(ReferenceBody.of(reference));
    }
}
