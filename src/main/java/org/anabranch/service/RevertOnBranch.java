package org.anabranch.service;

import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import org.anabranch.model.ContentKey;
import org.anabranch.model.ContentType;
import org.anabranch.model.HashSpec;
import org.anabranch.model.Idempotency;
import org.anabranch.model.MergeOutcome;
import org.anabranch.model.RevertRequest;
import org.anabranch.model.VisibleKeys;
import org.anabranch.object.Commit;
import org.anabranch.object.ObjectReader;
import org.anabranch.security.Access;
import org.anabranch.security.Check;
import org.anabranch.security.Question;
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
     * @param access of the caller, who becomes the committer
     * @param idempotency null for a request whose repeat is another request
     * @throws org.anabranch.model.RefusedException 404 if the branch, a commit or the key is not there, or the branch does not
     *     have the commit; 403 if the caller may not read all that comes back or not change it; 400 if the request contradicts
     *     itself or what is taken back; 429 and 503 if the service has too much to do
     */
    public MergeOutcome revert(RevertRequest request, Access access, @Nullable Idempotency idempotency) {
        return repeats.answer(
                request.target(),
                access,
                idempotency,
                MergeOutcome.Merged.class,
                slot -> attempt(request, access, slot));
    }

    private Optional<MergeOutcome> attempt(RevertRequest request, Access access, @Nullable ReceiptSlot slot) {
        Instant now = clock.instant().truncatedTo(ChronoUnit.MICROS);
        SeenCommit.requireSeenStart(references, access, request.target());
        BranchTarget target = references.requireBranch(request.target(), BranchUse.COMMIT);
        String branch = target.row().name();
        MergeQuestions questions = new MergeQuestions(access, branch, branch);
        questions.requireNamed(request.keyModes());
        String committer = access.caller().name();
        RevertChange change =
                switch (request.scope()) {
                    case RevertRequest.OfCommit(var hash) ->
                        RevertChange.ofCommit(
                                objects, request, target, commit(hash, target), questions.bounds(), committer, now);
                    case RevertRequest.OfKey(var key, var hash) -> {
                        Commit earlier = commit(hash, target);
                        requireRead(access, target, key, earlier);
                        yield RevertChange.ofKey(
                                objects, request, target, key, earlier, questions.bounds(), committer, now);
                    }
                };
        questions.require(change.actions());
        if (request.dryRun()) {
            return Optional.of(questions.told(writer.rehearse(target.head(), change)));
        }
        return writer.write(target.row(), change, slot)
                .told(why -> why, why -> why)
                .map(questions::told);
    }

    /** Of a key that may hold what the caller may not read, not even its absence is told. */
    private void requireRead(Access access, BranchTarget target, ContentKey key, Commit earlier) {
        if (access.isUnrestricted()) {
            return;
        }
        List<ContentType> held = RevertChange.typesHeld(objects, key, List.of(target.expected(), earlier));
        String branch = target.row().name();
        VisibleKeys visible = access.visible(Check.READ_CONTENT_KEY, branch);
        if (held.isEmpty() || !held.stream().allMatch(type -> visible.shows(key, type))) {
            access.require(Question.ofAllTypes(Check.READ_CONTENT_KEY, branch, key));
        }
    }

    /** A commit that the branch reaches; another one is as if there were none, whoever asks. */
    private Commit commit(HashSpec hash, BranchTarget target) {
        String start = References.requireUnambiguous(hash, HashRole.TO_REVERT);
        return references
                .findReached(target.row(), hash)
                .orElseThrow(() -> References.notInReference(start, target.row().name()));
    }
}
