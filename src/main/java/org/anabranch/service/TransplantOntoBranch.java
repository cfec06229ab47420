package org.anabranch.service;

import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import org.anabranch.model.HashSpec;
import org.anabranch.model.Idempotency;
import org.anabranch.model.MergeOutcome;
import org.anabranch.model.RefSpec;
import org.anabranch.model.TransplantRequest;
import org.anabranch.object.Commit;
import org.anabranch.object.ObjectReader;
import org.anabranch.versioning.commit.BranchWriter;
import org.anabranch.versioning.merge.TransplantChange;
import org.anabranch.versioning.refs.BranchTarget;
import org.anabranch.versioning.refs.BranchUse;
import org.anabranch.versioning.refs.HashRole;
import org.anabranch.versioning.refs.ReceiptSlot;
import org.anabranch.versioning.refs.References;
import org.jspecify.annotations.Nullable;

/** Replays commits on a branch. Safe from many threads. */
public final class TransplantOntoBranch {

    private final References references;
    private final ObjectReader objects;
    private final BranchWriter writer;
    private final Repeats repeats;
    private final InstantSource clock;

    public TransplantOntoBranch(
            References references, ObjectReader objects, BranchWriter writer, Repeats repeats, InstantSource clock) {
        this.references = references;
        this.objects = objects;
        this.writer = writer;
        this.repeats = repeats;
        this.clock = clock;
    }

    /**
     * Makes a new commit on the target for each source commit that changes something there, or none.
     *
     * @param committer the caller's authenticated name; empty if anonymous
     * @param idempotency null for a request whose repeat is another request
     * @throws org.anabranch.model.RefusedException 404 if a reference or commit is not there; 400 if the commits do not follow one
     *     another or the request contradicts itself; 429 and 503 if the service has too much to do
     */
    public MergeOutcome transplant(TransplantRequest request, String committer, @Nullable Idempotency idempotency) {
        return repeats.answer(
                request.target(),
                committer,
                idempotency,
                MergeOutcome.Merged.class,
                slot -> attempt(request, committer, slot));
    }

    private Optional<MergeOutcome> attempt(TransplantRequest request, String committer, @Nullable ReceiptSlot slot) {
        Instant now = clock.instant().truncatedTo(ChronoUnit.MICROS);
        BranchTarget target = references.requireBranch(request.target(), BranchUse.TRANSPLANT);
        if (request.sourceName() != null) {
            references.row(new RefSpec(request.sourceName(), HashSpec.HEAD));
        }
        List<Commit> sources = references.requireAll(request.commits(), HashRole.TO_TRANSPLANT);
        TransplantChange change = TransplantChange.plan(objects, request, target, sources, committer, now);
        if (request.dryRun()) {
            return Optional.of(writer.rehearse(target.head(), change));
        }
        return writer.write(target.row().name(), change, slot).told(why -> why, why -> why);
    }
}
