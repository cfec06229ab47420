package org.anabranch.versioning.refs;

import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.anabranch.dag.CommitGraph;
import org.anabranch.model.AppliedResult;
import org.anabranch.model.CommitOutcome.Committed;
import org.anabranch.model.Idempotency;
import org.anabranch.model.MergeOutcome.Merged;
import org.anabranch.model.ReferenceChanged;
import org.anabranch.model.RefusedException;
import org.anabranch.object.Commit;
import org.anabranch.object.ObjectReader;
import org.anabranch.object.ResultCodec;
import org.anabranch.store.Receipt;
import org.anabranch.store.ReferenceRow;
import org.anabranch.store.Store;
import org.jspecify.annotations.Nullable;

/**
 * Finds what requests that carried an idempotency key were answered, and forgets it in time. Safe from many threads.
 *
 * <p>A receipt is found under the caller, the reference's name and the key, and counts as long as what it tells is true of the
 * reference that has the name now:
 *
 * <ul>
 *   <li>of a commit, merge or transplant: its last commit is on the branch's first-parent line, or there is no such branch any
 *       more, where nothing could be applied twice;
 *   <li>of a create: the reference is the one that was created, wherever it has moved since;
 *   <li>of an assignment: the reference is the one that was assigned, or there is none;
 *   <li>of a delete: the reference that was deleted is gone. One that was created anew under the name is another.
 * </ul>
 *
 * A receipt that does not count is forgotten when it is met, and its request is as new.
 */
public final class Receipts {

    /** How often a process has the expired ones forgotten, when a request with a key arrives. */
    private static final long FORGETTING_MICROS = TimeUnit.MINUTES.toMicros(1);

    private final Store store;
    private final ObjectReader reader;
    private final CommitGraph graph;
    private final SharedClock clock;
    private final long lifetimeMicros;
    private final AtomicLong nextForgettingMicros = new AtomicLong(Long.MIN_VALUE);

    /**
     * @param clock of this process; only the store's counts where it has one
     * @param lifetime how long a receipt is kept after the request arrived, longer than zero
     */
    public Receipts(Store store, ObjectReader reader, CommitGraph graph, InstantSource clock, Duration lifetime) {
        if (!lifetime.isPositive()) {
            throw new IllegalArgumentException("Receipts are kept for a time longer than zero, not for " + lifetime);
        }
        this.store = store;
        this.reader = reader;
        this.graph = graph;
        this.clock = new SharedClock(store, clock);
        this.lifetimeMicros = TimeUnit.MICROSECONDS.convert(lifetime);
    }

    /** What is known of a request. */
    public sealed interface Finding {

        /** It was applied before. */
        record Applied(AppliedResult result) implements Finding {}

        /** It was not, at the time of the call. */
        record New(ReceiptSlot slot) implements Finding {}
    }

    /**
     * Looks for the receipt of a request. Not to have found one holds for the moment of the call only: a request that is not
     * applied in the end is looked for again, for its first sending may have been applied between the call and the reads that it
     * was judged by. Costs one store trip, a few more if there is a receipt, and up to two more once a minute.
     *
     * @param caller the authenticated name; empty if anonymous
     * @param reference the own name of the branch or tag
     * @throws RefusedException 400 if the key was used for another request
     */
    public Finding find(String caller, String reference, Idempotency idempotency) {
        long now = clock.micros();
        forgetNowAndThen(now);
        String scope = scope(caller, reference, idempotency.key());
        for (Receipt receipt : store.receipts(scope)) {
            AppliedResult result = ResultCodec.decode(receipt.response());
            // The reference is read after the receipt: an older row may be from before the write that the receipt came
            // with.
            if (receipt.expiresAtMicros() >= now
                    && counts(receipt, result, store.reference(reference).orElse(null))) {
                requireSame(receipt, reference, idempotency);
                return new Finding.Applied(result);
            }
            store.forgetReceipt(receipt);
        }
        return new Finding.New(new ReceiptSlot(scope, idempotency.requestDigest(), now + lifetimeMicros));
    }

    private void forgetNowAndThen(long now) {
        long due = nextForgettingMicros.get();
        if (now >= due && nextForgettingMicros.compareAndSet(due, now + FORGETTING_MICROS)) {
            store.forgetReceipts(now);
        }
    }

    /** Neither a name nor a printable key holds a line break, so the parts cannot run into each other. */
    private static String scope(String caller, String reference, String key) {
        return reference + '\n' + key + '\n' + caller;
    }

    private boolean counts(Receipt receipt, AppliedResult result, @Nullable ReferenceRow row) {
        return switch (result) {
            case Committed committed -> row == null || isOnLine(receipt, row);
            case Merged merged -> row == null || isOnLine(receipt, row);
            case ReferenceChanged(var kind, var reference, var incarnation) -> {
                boolean isThere = row != null && row.incarnation() == incarnation;
                yield switch (kind) {
                    case CREATED -> isThere;
                    case ASSIGNED -> isThere || row == null;
                    case DELETED -> !isThere;
                };
            }
        };
    }

    private boolean isOnLine(Receipt receipt, ReferenceRow row) {
        Optional<Commit> commit = reader.findCommit(receipt.head().id());
        return commit.isPresent()
                && graph.isOnLine(commit.get(), reader.commit(row.head().number()));
    }

    private static void requireSame(Receipt receipt, String reference, Idempotency idempotency) {
        if (!Arrays.equals(receipt.requestDigest(), idempotency.requestDigest())) {
            throw RefusedException.badRequest("Idempotency-Key: '" + idempotency.key()
                    + "' was used for another request on '" + reference + "'; give every request a key of its own");
        }
    }
}
