package org.anabranch.versioning.commit;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.anabranch.model.HeadKeptMoving;
import org.anabranch.model.OutcomeUndecided;
import org.anabranch.object.Commit;
import org.anabranch.store.Receipt;
import org.anabranch.store.ReferenceRow;
import org.anabranch.versioning.refs.ReceiptSlot;
import org.jspecify.annotations.Nullable;

/** A change on its way through a {@link BranchWriter}: waiting, tried, ended. Its caller's thread sleeps on it. */
final class PendingChange<T> {

    /**
     * What one attempt makes of a change.
     *
     * @param staged the last commit staged for it; null if there is none
     * @param receipt to be written with it; null if it leaves none
     * @param answer tells the caller
     */
    record Judged(
            PendingChange<?> change,
            @Nullable Commit staged,
            List<Commit> adopted,
            @Nullable Receipt receipt,
            Runnable answer) {

        /** Nothing is staged. */
        Judged(PendingChange<?> change, Runnable answer) {
            this(change, null, List.of(), null, answer);
        }
    }

    private final ReferenceRow seen;
    private final BranchChange<T> change;
    private final @Nullable ReceiptSlot slot;
    private final long deadlineNanos;
    private final Semaphore wake = new Semaphore(0);
    private int attempts;
    private long judgedNanos;
    private long storedNanos;
    private volatile @Nullable WriteResult<T> result;
    private volatile @Nullable Throwable failure;

    PendingChange(ReferenceRow seen, BranchChange<T> change, @Nullable ReceiptSlot slot, long deadlineNanos) {
        this.seen = seen;
        this.change = change;
        this.slot = slot;
        this.deadlineNanos = deadlineNanos;
    }

    /** The branch as its request read it. */
    ReferenceRow seen() {
        return seen;
    }

    /** Judges on a head. An exception of the change is its answer, given when the attempt is published like every answer. */
    Judged judge(Commit head, Stage stage) {
        attempts++;
        int before = stage.count();
        try {
            return switch (change.judge(head, stage)) {
                case Judgement.Applied<T> applied ->
                    new Judged(
                            this,
                            applied.head(),
                            applied.adopted(),
                            slot == null ? null : slot.receipt(applied.head().head(), applied.result()),
                            () -> end(new WriteResult.Answered<>(applied.answer())));
                case Judgement.Ended<T>(var answer) -> {
                    stage.dropAfter(before);
                    yield new Judged(this, () -> end(new WriteResult.Answered<>(answer)));
                }
            };
        } catch (RuntimeException refusal) {
            stage.dropAfter(before);
            return new Judged(this, () -> fail(refusal));
        }
    }

    /** What an attempt makes of a change whose slot is another's in the same attempt. */
    Judged judgeRepeated() {
        attempts++;
        return new Judged(this, this::endRepeated);
    }

    /** The scope of its receipt; null if it leaves none. */
    @Nullable
    String scope() {
        return slot == null ? null : slot.scope();
    }

    int attempts() {
        return attempts;
    }

    void addJudged(long nanos) {
        judgedNanos += nanos;
    }

    void addStored(long nanos) {
        storedNanos += nanos;
    }

    /** Where its time went; for its caller, when it has ended. */
    WriteTimes times(long allNanos) {
        return new WriteTimes(Math.max(0, allNanos - judgedNanos - storedNanos), judgedNanos, storedNanos, attempts);
    }

    boolean isOverdue(long nowNanos) {
        return nowNanos - deadlineNanos >= 0;
    }

    void endRepeated() {
        end(new WriteResult.Repeated<>());
    }

    void giveUp(HeadKeptMoving why) {
        end(new WriteResult.GaveUp<>(why));
    }

    void leaveUndecided(OutcomeUndecided why) {
        end(new WriteResult.Undecided<>(why));
    }

    void fail(Throwable why) {
        failure = why;
        wake.release();
    }

    private void end(WriteResult<T> how) {
        result = how;
        wake.release();
    }

    boolean hasEnded() {
        return result != null || failure != null;
    }

    /** Wakes the caller to lead a batch. */
    void yourTurn() {
        wake.release();
    }

    /** Sleeps until the change has ended or it is the caller's turn to lead. */
    void sleep() {
        wake.acquireUninterruptibly();
    }

    /** As {@link #sleep}, for a time at most, and says whether that was enough. */
    boolean sleep(Duration atMost) {
        try {
            return wake.tryAcquire(atMost.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            sleep();
            return true;
        }
    }

    /** Whether its caller need not sleep any more. */
    boolean isAwake() {
        return wake.availablePermits() > 0;
    }

    /** How it ended; only to be called when it has. */
    WriteResult<T> result() {
        WriteResult<T> ended = result;
        if (ended != null) {
            return ended;
        }
        switch (failure) {
            case RuntimeException exception -> throw exception;
            case Error error -> throw error;
            case null, default -> throw new IllegalStateException("A change was left without an answer", failure);
        }
    }
}
