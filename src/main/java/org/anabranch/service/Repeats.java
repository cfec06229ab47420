package org.anabranch.service;

import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import org.anabranch.model.Idempotency;
import org.anabranch.model.OutcomeUndecided;
import org.anabranch.model.RefSpec;
import org.anabranch.model.RefusedException;
import org.anabranch.security.Access;
import org.anabranch.store.StoreUnavailableException;
import org.anabranch.versioning.refs.ReceiptSlot;
import org.anabranch.versioning.refs.Receipts;
import org.anabranch.versioning.refs.Receipts.Finding;
import org.anabranch.versioning.refs.References;
import org.jspecify.annotations.Nullable;

/** Answers a request that was applied before with what it was answered then. Safe from many threads. */
public final class Repeats {

    private final References references;
    private final Receipts receipts;
    private final LongAdder answered = new LongAdder();

    public Repeats(References references, Receipts receipts) {
        this.references = references;
        this.receipts = receipts;
    }

    /** How many requests were answered with what they were answered before, since the service was started. */
    public long answered() {
        return answered.sum();
    }

    /** Tries a request that leaves a receipt in the slot if it is applied; empty if the slot was taken. */
    interface Attempt<T> extends Function<@Nullable ReceiptSlot, Optional<T>> {}

    /**
     * Applies a request, unless it was applied before. Costs a store trip more than the request itself, two if it is not
     * applied; none without an idempotency key.
     *
     * @param reference that the request changes; one without a name leaves the request as it is
     * @param access of the caller, who alone is answered what they were answered before
     * @param applied what the request is answered if it was applied
     * @throws RefusedException 404 if the caller may not know of the reference; 400 if the key was used for another request; or
     *     as the attempt throws
     */
    <T> T answer(
            RefSpec reference,
            Access access,
            @Nullable Idempotency idempotency,
            Class<? extends T> applied,
            Attempt<T> attempt) {
        if (!reference.isDetached()) {
            SeenCommit.requireViewed(references, access, reference);
        }
        if (idempotency == null || reference.isDetached()) {
            return attempt.apply(null)
                    .orElseThrow(() -> new IllegalStateException("A request without receipt found it taken"));
        }
        String name = references.ownName(reference);
        String caller = access.caller().name();
        while (true) {
            switch (receipts.find(caller, name, idempotency)) {
                case Finding.Applied(var result) -> {
                    answered.increment();
                    return applied.cast(result);
                }
                case Finding.New(var slot) -> {
                    Optional<T> answer;
                    try {
                        answer = attempt.apply(slot);
                    } catch (RefusedException refusal) {
                        return this.<T>first(caller, name, idempotency, applied).orElseThrow(() -> refusal);
                    }
                    if (answer.isPresent()) {
                        return applied.isInstance(answer.get())
                                ? answer.get()
                                : firstOr(answer.get(), caller, name, idempotency, applied);
                    }
                    // The slot was taken, so there is a receipt now.
                }
            }
        }
    }

    private <T> T firstOr(T answer, String caller, String name, Idempotency idempotency, Class<? extends T> applied) {
        try {
            return this.<T>first(caller, name, idempotency, applied).orElse(answer);
        } catch (StoreUnavailableException unavailable) {
            if (answer instanceof OutcomeUndecided) {
                // To say that nothing was changed would be more than is known.
                return answer;
            }
            throw unavailable;
        }
    }

    /** What ends a request otherwise may be that its first sending was applied in the meantime. */
    private <T> Optional<T> first(String caller, String name, Idempotency idempotency, Class<? extends T> applied) {
        if (receipts.find(caller, name, idempotency) instanceof Finding.Applied(var result)) {
            answered.increment();
            return Optional.of(applied.cast(result));
        }
        return Optional.empty();
    }
}
