package org.anabranch.service;

import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import org.anabranch.model.Idempotency;
import org.anabranch.model.MergeOutcome;
import org.anabranch.model.MergeRequest;
import org.anabranch.object.ObjectReader;
import org.anabranch.versioning.commit.BranchWriter;
import org.anabranch.versioning.merge.MergeChange;
import org.anabranch.versioning.refs.BranchTarget;
import org.anabranch.versioning.refs.BranchUse;
import org.anabranch.versioning.refs.HashRole;
import org.anabranch.versioning.refs.ReceiptSlot;
import org.anabranch.versioning.refs.References;
import org.anabranch.versioning.refs.ResolvedReference;
import org.jspecify.annotations.Nullable;

/** Merges a commit into a branch. Safe from many threads. */
public final class MergeIntoBranch {

    private final References references;
    private final ObjectReader objects;
    private final BranchWriter writer;
    private final Repeats repeats;
    private final InstantSource clock;

    public MergeIntoBranch(
            References references, ObjectReader objects, BranchWriter writer, Repeats repeats, InstantSource clock) {
        this.references = references;
        this.objects = objects;
        this.writer = writer;
        this.repeats = repeats;
        this.clock = clock;
    }

    /**
     * Brings what the source changed since the merge base to the target, as one commit, or nothing.
     *
     * @param committer the caller's authenticated name; empty if anonymous
     * @param idempotency null for a request whose repeat is another request
     * @throws org.anabranch.model.RefusedException 404 if a reference or commit is not there, or the two have no common ancestor;
     *     400 if the request contradicts itself or the source; 429 and 503 if the service has too much to do
     */
    public MergeOutcome merge(MergeRequest request, String committer, @Nullable Idempotency idempotency) {
        return repeats.answer(
                request.target(),
                committer,
                idempotency,
                MergeOutcome.Merged.class,
                slot -> attempt(request, committer, slot));
    }

    private Optional<MergeOutcome> attempt(MergeRequest request, String committer, @Nullable ReceiptSlot slot) {
        Instant now = clock.instant().truncatedTo(ChronoUnit.MICROS);
        BranchTarget target = references.requireBranch(request.target(), BranchUse.MERGE);
        ResolvedReference source = references.resolveUnambiguous(request.source(), HashRole.SOURCE);
        MergeChange change = MergeChange.plan(objects, request, target, source, committer, now);
        if (request.dryRun()) {
            return Optional.of(writer.rehearse(target.head(), change));
        }
        return writer.write(target.row().name(), change, slot).told(why -> why, why -> why);
    }
}
