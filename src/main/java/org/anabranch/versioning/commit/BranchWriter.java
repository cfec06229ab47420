package org.anabranch.versioning.commit;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.anabranch.model.HeadKeptMoving;
import org.anabranch.model.OutcomeUndecided;
import org.anabranch.model.ReferenceKind;
import org.anabranch.model.RefusedException;
import org.anabranch.object.Commit;
import org.anabranch.object.CommitRowBuilder.Built;
import org.anabranch.store.Instants;
import org.anabranch.store.OutcomeUnknownException;
import org.anabranch.store.ReferenceRow;
import org.anabranch.store.StoreUnavailableException;
import org.anabranch.versioning.commit.BranchQueues.Lead;
import org.anabranch.versioning.commit.PendingChange.Judged;
import org.anabranch.versioning.refs.HeadPublisher;
import org.anabranch.versioning.refs.HeadTurn;
import org.anabranch.versioning.refs.PublishOutcome;
import org.anabranch.versioning.refs.ReceiptSlot;
import org.jspecify.annotations.Nullable;

/**
 * Brings changes into branches: judges them on the head, stages and publishes them. The only place that repeats a lost write.
 *
 * <p>Changes of one branch that arrive while a write of it is under way share the next write, each with commits, an answer and
 * an ending of its own; a change that finds no write under way waits for nobody. Changes of different branches never wait for
 * each other. Safe from many threads.
 */
public final class BranchWriter implements AutoCloseable {

    /*
     * Whoever leads a branch, see BranchQueues, writes everything that waits at that moment as one batch, on the thread of its
     * own request.
     *
     * A batch is judged on the newest head that one of its requests has read or that this process made. So whoever saw an answer
     * from another process is never judged on an older head here, which matters for the answers that end without a write: their
     * request has read the branch after that, and joins no batch that is judged on an older one. Whether it has moved since, the
     * conditional write finds out, and only then is the head read again.
     *
     * A batch is judged in order, each change on the commits staged by those before it. All answers wait for the one write,
     * because any of them may rest on a commit that only this write makes true. If the head has moved meanwhile, the whole
     * batch is judged again on the new one.
     *
     * Where several processes write one branch, racing for its head alone would let whoever won win again, because it knows its
     * own last commits already, and would burn the work of the others. So after a lost race the batches of that branch take
     * turns, for as long as others keep moving it: the head is read when the turn has come, and stays until the write. Whoever
     * waits for the turn lets the batch grow meanwhile. A change that takes longer to judge than it may be tried has lost its race
     * by then, and is not given up before it had a turn.
     *
     * An unknown outcome leaves the attempt undecided, and the reference decides it, see Attempt.Fate. Where the write may still
     * arrive, the same rows are sent again, on the same condition: whichever arrives first wins, and both mean the same commits,
     * so nothing is ever applied twice. Hence there is one undecided attempt at a time, and while there is one nothing else is
     * judged or answered.
     *
     * Receipts are written with the attempt that they are of, so the store keeps two processes from applying one request
     * twice. Whose slot is taken, in the store or by an earlier change of the same attempt, ends as a repeat, and its caller
     * looks for the receipt; the rest of the batch goes on. Nothing is looked for here: a repeat costs its own caller a read
     * and the batch nothing, and only one that overtakes its first sending's answer comes this far.
     */

    private static final long FIRST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(5);
    private static final long LONGEST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

    /** How often a turn is said to be still at work; less than half of what stores wait for. */
    private static final long KEEPING_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    /** A batch that was judged for so long takes no further change, so that neither its own nor other processes wait. */
    private static final long LONGEST_BATCH_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    private final HeadPublisher publisher;
    private final Staging staging;
    private final InstantSource clock;
    private final Ticker ticker;
    private final WriteLimits limits;
    private final WriteListener listener;
    private final BranchQueues queues;
    private final Contention contended;
    private final LastMoves lastMoves = new LastMoves();

    /** @param clock says when a head was published */
    public BranchWriter(
            HeadPublisher publisher,
            Staging staging,
            InstantSource clock,
            Ticker ticker,
            WriteLimits limits,
            WriteListener listener) {
        this.publisher = publisher;
        this.staging = staging;
        this.clock = clock;
        this.ticker = ticker;
        this.limits = limits;
        this.listener = listener;
        this.queues = new BranchQueues(limits);
        this.contended = new Contention(ticker);
    }

    /**
     * Brings a change into a branch. Returns when it is durable and visible, or has ended otherwise. Costs a write, shared with
     * the other changes of the batch, and what judging costs; where others move the branch, a read of the reference as well.
     *
     * @param seen the branch, read after the request has arrived
     * @param slot of the request's receipt, which is kept iff the change is published; null if it leaves none
     * @throws RefusedException 404 or 400 if there is no such branch, 429 if too many changes wait for it, 503 if this writer is
     *     closed or the change waited too long for its turn; or as the change's own judgement throws
     * @throws StoreUnavailableException nothing was published
     */
    public <T> WriteResult<T> write(ReferenceRow seen, BranchChange<T> change, @Nullable ReceiptSlot slot) {
        String branch = seen.name();
        WriteListener.Underway underway = listener.begun(branch);
        long start = ticker.nanos();
        PendingChange<T> pending =
                new PendingChange<>(seen, change, slot, start + limits.time().toNanos());
        WriteResult<T> result;
        try {
            result = write(branch, pending);
        } catch (RuntimeException | Error failure) {
            underway.failed(pending.times(ticker.nanos() - start), failure);
            throw failure;
        }
        underway.ended(pending.times(ticker.nanos() - start), result);
        return result;
    }

    private <T> WriteResult<T> write(String branch, PendingChange<T> pending) {
        Optional<Lead> entered = queues.enter(branch, pending);
        if (entered.isPresent()) {
            try (Lead lead = entered.get()) {
                new Batch(branch, lead).run();
            }
        }
        return pending.result();
    }

    /** What {@link #write} would answer on a head, without any effect. */
    public <T> T rehearse(Commit head, BranchChange<T> change) {
        Stage stage = staging.open();
        limitTime(stage, () -> {});
        return change.judge(head, stage).answer();
    }

    /**
     * Breaks off what is judged on a stage from now on when it has had its time.
     *
     * @param meanwhile called before each commit that is staged
     */
    private void limitTime(Stage stage, Runnable meanwhile) {
        long start = ticker.nanos();
        stage.limitTime(() -> {
            meanwhile.run();
            if (ticker.nanos() - start > limits.judgementTime().toNanos()) {
                throw RefusedException.badRequest("To judge the request takes longer than the limit of "
                        + limits.judgementTime().toMillis()
                        + " ms, in which others wait for the branch: nothing was written. Transplant fewer commits at"
                        + " a time, or raise anabranch.limits.judgement-time");
            }
        });
    }

    /** Refuses new changes, and returns when those that are under way or waiting have ended. */
    @Override
    public void close() {
        queues.close();
    }

    /** What one leader writes. Used by one thread. */
    private final class Batch {

        private final String branch;
        private final Lead lead;

        /** The first of them, whose caller's thread this is. When it has ended, nobody else joins. */
        private final PendingChange<?> leading;

        /** The changes without an ending. */
        private final Set<PendingChange<?>> open;

        /** The branch as far as it is known, until it is tried there. */
        private Optional<ReferenceRow> known;

        /** What may have been published. As long as there is such an attempt, nothing else is tried. */
        private @Nullable Attempt undecided;

        /** Whether it was judged in a turn, where only who does not take turns can get in between. */
        private boolean hadTurn;

        private long pauseNanos = FIRST_PAUSE_NANOS;

        Batch(String branch, Lead lead) {
            List<PendingChange<?>> changes = lead.take(limits.batchRequests());
            this.branch = branch;
            this.lead = lead;
            this.leading = changes.get(0);
            this.open = new LinkedHashSet<>(changes);
            this.known = lastMoves.newest(
                    changes.stream().<ReferenceRow>map(PendingChange::seen).toList());
        }

        /** Ends every change, or puts it back into the queue. */
        void run() {
            try {
                while (!open.isEmpty()) {
                    try {
                        tryOnce();
                    } catch (StoreUnavailableException unavailable) {
                        if (undecided == null) {
                            throw unavailable;
                        }
                        pause();
                    }
                }
            } catch (RuntimeException failure) {
                open.forEach(change -> change.fail(failure));
            } catch (Error failure) {
                open.forEach(change -> change.fail(failure));
                throw failure;
            }
        }

        private void pause() {
            ticker.pause(pauseNanos);
            pauseNanos = Math.min(2 * pauseNanos, LONGEST_PAUSE_NANOS);
        }

        private void tryOnce() {
            // 1. Whose time is up while something is undecided cannot be told more than that.
            if (undecided != null) {
                leaveUndecided(undecided, change -> change.isOverdue(ticker.nanos()));
                if (open.isEmpty()) {
                    return;
                }
            }
            boolean isTurn = contended.is(branch);
            try (HeadTurn turn = isTurn
                    ? publisher.turn(branch)
                    : known.map(publisher::seen).orElseGet(() -> publisher.look(branch))) {
                known = Optional.empty();
                tryOn(turn, isTurn);
                return;
            } catch (OutcomeUnknownException unknown) {
                // The attempt is undecided.
            }
            pause();
        }

        private void tryOn(HeadTurn turn, boolean isTurn) {
            // 2. The reference decides what is undecided.
            ReferenceRow row = turn.row().orElse(null);
            if (undecided != null) {
                switch (undecided.fate(row, staging.open())) {
                    case PUBLISHED -> {
                        answer(undecided);
                        return;
                    }
                    case FORGOTTEN -> {
                        leaveUndecided(undecided, change -> true);
                        return;
                    }
                    case LOST -> undecided = null;
                    case OPEN -> {}
                }
            }
            if (row == null) {
                throw RefusedException.referenceNotFound("Named reference '" + branch + "' not found");
            }
            if (row.kind() != ReferenceKind.BRANCH) {
                throw RefusedException.badRequest("Reference '" + branch + "' must be a branch, and is a tag now");
            }
            contended.saw(row);
            // 3. Judge, or send again what may still arrive.
            Attempt attempt = undecided;
            if (attempt == null) {
                giveUpOverdue(row, isTurn && !hadTurn);
                hadTurn |= isTurn;
                if (open.contains(leading)) {
                    takeArrived(row);
                }
                attempt = judge(row, turn);
            }
            // 4. Publish.
            if (attempt.staged().isEmpty()) {
                answer(attempt);
                return;
            }
            try {
                publish(turn, row, attempt);
            } catch (OutcomeUnknownException unknown) {
                undecided = attempt;
                throw unknown;
            }
        }

        /** Takes in who has arrived meanwhile, but for those whose requests have read a newer head. */
        private void takeArrived(ReferenceRow row) {
            List<PendingChange<?>> later = new ArrayList<>();
            for (PendingChange<?> change : lead.take(limits.batchRequests() - open.size())) {
                boolean isNewer = change.seen().incarnation() != row.incarnation()
                        || change.seen().version() > row.version();
                (isNewer ? later : open).add(change);
            }
            lead.putBack(later);
        }

        private void publish(HeadTurn turn, ReferenceRow row, Attempt attempt) {
            switch (timedPublish(turn, row, attempt)) {
                case PublishOutcome.Published(var now) -> {
                    contended.moved(now);
                    lastMoves.moved(now);
                    answer(attempt);
                }
                // Seen again and decided on by the next try.
                case PublishOutcome.HeadMoved moved -> contended.lost(branch);
                case PublishOutcome.AdoptedMissing(var numbers) -> {
                    undecided = null;
                    refuseAdopting(attempt, numbers);
                }
                case PublishOutcome.ReceiptTaken(var existing) -> {
                    // One of the attempt's own says that it was applied late, which the next try sees.
                    if (!attempt.holds(existing)) {
                        undecided = null;
                        endRepeats(existing.scope());
                    }
                }
            }
        }

        private PublishOutcome timedPublish(HeadTurn turn, ReferenceRow row, Attempt attempt) {
            long start = ticker.nanos();
            try {
                return turn.publish(
                        attempt.staged().stream().map(Built::row).toList(),
                        attempt.adopted(),
                        row,
                        attempt.head().head(),
                        Instants.micros(clock.instant()),
                        attempt.receipts());
            } finally {
                long took = ticker.nanos() - start;
                attempt.judged().forEach(one -> one.change().addStored(took));
            }
        }

        private void endRepeats(String scope) {
            open.removeIf(change -> {
                if (!scope.equals(change.scope())) {
                    return false;
                }
                change.endRepeated();
                return true;
            });
        }

        private Attempt judge(ReferenceRow row, HeadTurn turn) {
            Stage stage = staging.open();
            long start = ticker.nanos();
            Runnable keeping = keeping(turn);
            stage.giveSign(keeping);
            Commit head = stage.objects().commit(row.head().number());
            List<Judged> judged = new ArrayList<>();
            List<PendingChange<?>> tooMany = new ArrayList<>();
            Set<String> scopes = new HashSet<>();
            for (PendingChange<?> change : open) {
                if (!judged.isEmpty()
                        && (stage.bytes() >= limits.batchBytes() || ticker.nanos() - start > LONGEST_BATCH_NANOS)) {
                    tooMany.add(change);
                    continue;
                }
                keeping.run();
                limitTime(stage, keeping);
                String scope = change.scope();
                long before = ticker.nanos();
                Judged one =
                        scope != null && scopes.contains(scope) ? change.judgeRepeated() : change.judge(head, stage);
                change.addJudged(ticker.nanos() - before);
                judged.add(one);
                if (one.receipt() != null) {
                    scopes.add(one.receipt().scope());
                }
                if (one.staged() != null) {
                    head = one.staged();
                }
            }
            if (!tooMany.isEmpty()) {
                open.removeAll(tooMany);
                lead.putBack(tooMany);
            }
            return new Attempt(row, judged, stage.staged(), stage.bytes(), head);
        }

        private Runnable keeping(HeadTurn turn) {
            long start = ticker.nanos();
            long[] kept = {start};
            return () -> {
                long now = ticker.nanos();
                if (now - kept[0] > KEEPING_NANOS
                        && now - start <= limits.judgementTime().toNanos()) {
                    turn.keep();
                    kept[0] = now;
                }
            };
        }

        /** Ends the changes of an attempt that was published, or that left nothing to publish. */
        private void answer(Attempt attempt) {
            staging.remember(attempt.staged());
            if (!attempt.staged().isEmpty()) {
                listener.published(attempt.changes(), attempt.staged().size(), attempt.bytes());
            }
            for (Judged one : attempt.judged()) {
                if (open.remove(one.change())) {
                    one.answer().run();
                }
            }
        }

        private void leaveUndecided(Attempt attempt, Predicate<PendingChange<?>> which) {
            for (Judged one : attempt.judged()) {
                if (open.contains(one.change()) && which.test(one.change())) {
                    open.remove(one.change());
                    Commit commit = one.staged() == null ? attempt.head() : one.staged();
                    one.change().leaveUndecided(new OutcomeUndecided(branch, commit.id()));
                }
            }
        }

        /** @param isFirstTurn what was raced with until its time was up is tried once more */
        private void giveUpOverdue(ReferenceRow row, boolean isFirstTurn) {
            long now = ticker.nanos();
            open.removeIf(change -> {
                boolean isOverdue = change.isOverdue(now) && !(isFirstTurn && change.attempts() > 0);
                if (!isOverdue && change.attempts() < limits.attempts()) {
                    return false;
                }
                if (change.attempts() == 0) {
                    change.fail(limits.notBegun(branch));
                } else {
                    change.giveUp(new HeadKeptMoving(branch, row.head().id(), change.attempts()));
                }
                return true;
            });
        }

        private void refuseAdopting(Attempt attempt, Set<Long> missing) {
            for (Judged one : attempt.judged()) {
                for (Commit commit : one.adopted()) {
                    if (missing.contains(commit.number()) && open.remove(one.change())) {
                        staging.forget(List.of(commit.id()));
                        one.change().fail(RefusedException.referenceNotFound("Commit '" + commit.id() + "' not found"));
                    }
                }
            }
        }
    }
}
