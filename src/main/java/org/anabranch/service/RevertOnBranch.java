package org.anabranch.service;

import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import org.anabranch.model.HashSpec;
import org.anabranch.model.Idempotency;
import org.anabranch.model.MergeOutcome;
import org.anabranch.model.RefSpec;
import org.anabranch.model.RevertRequest;
import org.anabranch.object.Commit;
import org.anabranch.object.ObjectReader;
import org.anabranch.versioning.commit.BranchWriter;
import org.anabranch.versioning.merge.RevertChange;
import org.anabranch.versioning.refs.BranchTarget;
import org.anabranch.versioning.refs.BranchUse;
import org.anabranch.versioning.refs.HashRole;
import org.anabranch.versioning.refs.ReceiptSlot;
import org.anabranch.versioning.refs.References;
import org.jspecify.annotations.Nullable;

/** Takes back a commit of a branch, or what happened to one key. Safe from many threads. */
public final class RevertOnBranch {

    private final References references;
    private final ObjectReader objects;
    private final BranchWriter writer;
    private final Repeats repeats;
    private final InstantSource clock;

    public RevertOnBranch(
            References references, ObjectReader objects, BranchWriter writer, Repeats repeats, InstantSource clock) {
        this.references = references;
        this.objects = objects;
        this.writer = writer;
        this.repeats = repeats;
        this.clock = clock;
    }

    /**
     * Makes one commit that takes the changes back, or nothing if the branch shows them no more.
     *
     * @param committer the caller's authenticated name; empty if anonymous
     * @param idempotency null for a request whose repeat is another request
     * @throws org.anabranch.model.RefusedException 404 if the branch, a commit or the key is not there, or the branch does not have
     *     the commit; 400 if the request contradicts itself or what is taken back; 429 and 503 if the service has too much to do
     */
    public MergeOutcome revert(RevertRequest request, String committer, @Nullable Idempotency idempotency) {
        return repeats.answer(
                request.target(),
                committer,
                idempotency,
                MergeOutcome.Merged.class,
                slot -> attempt(request, committer, slot));
    }

    private Optional<MergeOutcome> attempt(RevertRequest request, String committer, @Nullable ReceiptSlot slot) {
        Instant now = clock.instant().truncatedTo(ChronoUnit.MICROS);
        BranchTarget target = references.requireBranch(request.target(), BranchUse.COMMIT);
        RevertChange change =
                switch (request.scope()) {
                    case RevertRequest.OfCommit(var commit) ->
                        RevertChange.ofCommit(objects, request, target, commit(commit), committer, now);
                    case RevertRequest.OfKey(var key, var earlier) ->
                        RevertChange.ofKey(objects, request, target, key, commit(earlier), committer, now);
                };
        if (request.dryRun()) {
            return Optional.of(writer.rehearse(target.head(), change));
        }
        return writer.write(target.row().name(), change, slot).told(why -> why, why -> why);
    }

    private Commit commit(HashSpec hash) {
        return references
                .resolveUnambiguous(new RefSpec(null, hash), HashRole.TO_REVERT)
                .commit();
    }
}
