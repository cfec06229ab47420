package org.anabranch.wiring;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.anabranch.model.CommitId;
import org.anabranch.model.ReferenceKind;
import org.anabranch.store.Change;
import org.anabranch.store.ChunkAddress;
import org.anabranch.store.CommitLinks;
import org.anabranch.store.CommitRow;
import org.anabranch.store.Condemned;
import org.anabranch.store.OutcomeUnknownException;
import org.anabranch.store.Receipt;
import org.anabranch.store.ReferenceRow;
import org.anabranch.store.RepositoryRow;
import org.anabranch.store.Store;
import org.anabranch.store.StoreUnavailableException;
import org.anabranch.store.Turn;
import org.anabranch.store.WriteOutcome;
import org.anabranch.wiring.StoreCalls.Operation;
import org.jspecify.annotations.Nullable;

/**
 * A store whose calls are measured, and that says in the log when it begins to fail and when it works again, one line each however
 * many requests it fails, and remembers in between since when. Reading and writing are told apart, since a full disk can still
 * be read. Safe from many threads.
 */
final class WatchedStore implements Store {

    /** A store that fails now and then is not back after each call that works. */
    private static final Duration QUIET = Duration.ofSeconds(1);

    private final Store store;
    private final StoreCalls calls;
    private final Watch reads;
    private final Watch writes;

    /**
     * @param calls measures each call
     * @param begins is told when the store begins to fail
     * @param ends is told when it works again
     */
    WatchedStore(Store store, InstantSource clock, StoreCalls calls, Consumer<String> begins, Consumer<String> ends) {
        this.store = store;
        this.calls = calls;
        this.reads = new Watch("read", clock, begins, ends);
        this.writes = new Watch("written", clock, begins, ends);
    }

    /** The store itself. */
    Store watched() {
        return store;
    }

    /** Since when the store cannot be written, as far as is known; empty if the last write worked. */
    Optional<Instant> failsToWriteSince() {
        return writes.since();
    }

    /** Since when the store cannot be read, as far as is known; empty if the last read worked. */
    Optional<Instant> failsToReadSince() {
        return reads.since();
    }

    private record Failure(Instant since, Instant last) {}

    /** What calls of one sort came to. */
    private final class Watch {

        private final String done;
        private final InstantSource clock;
        private final Consumer<String> begins;
        private final Consumer<String> ends;
        private volatile @Nullable Failure failure;

        private Watch(String done, InstantSource clock, Consumer<String> begins, Consumer<String> ends) {
            this.done = done;
            this.clock = clock;
            this.begins = begins;
            this.ends = ends;
        }

        <T> T watch(Operation operation, Supplier<T> call) {
            T result;
            try {
                result = calls.measure(operation, call);
            } catch (StoreUnavailableException | OutcomeUnknownException e) {
                failed(e);
                throw e;
            }
            if (failure != null) {
                worked();
            }
            return result;
        }

        private synchronized void failed(RuntimeException problem) {
            Instant now = clock.instant();
            Failure before = failure;
            failure = new Failure(before == null ? now : before.since(), now);
            if (before == null) {
                begins.accept("The store cannot be " + done + ": " + reason(problem)
                        + ". Requests that need it are answered 503 until it can.");
            }
        }

        private synchronized void worked() {
            Failure ended = failure;
            Instant now = clock.instant();
            // Also after a clock that was set back.
            if (ended != null && Duration.between(ended.last(), now).abs().compareTo(QUIET) >= 0) {
                failure = null;
                ends.accept("The store can be " + done + " again, "
                        + Duration.between(ended.since(), now).toSeconds() + " s after it began to fail");
            }
        }

        Optional<Instant> since() {
            return Optional.ofNullable(failure).map(Failure::since);
        }

        /** The sentence of the store, with the driver's own words unless they are in it. */
        private String reason(RuntimeException problem) {
            String sentence = String.valueOf(problem.getMessage());
            Throwable cause = problem.getCause();
            String detail = cause == null || cause.getMessage() == null ? "" : cause.getMessage();
            String reason = detail.isEmpty() || sentence.contains(detail) ? sentence : sentence + " (" + detail + ")";
            return reason.replaceAll("\\s*\\R\\s*", " ").replaceFirst("[.]+$", "");
        }
    }

    @Override
    public Map<CommitId, Long> find(Collection<CommitId> ids) {
        return reads.watch(Operation.FIND, () -> store.find(ids));
    }

    @Override
    public List<byte[]> fetch(List<ChunkAddress> chunks) {
        return reads.watch(Operation.FETCH, () -> store.fetch(chunks));
    }

    @Override
    public List<CommitLinks> links(long afterNumber, int limit) {
        return reads.watch(Operation.LINKS, () -> store.links(afterNumber, limit));
    }

    @Override
    public Optional<ReferenceRow> reference(String name) {
        return reads.watch(Operation.REFERENCE, () -> store.reference(name));
    }

    @Override
    public List<ReferenceRow> references(ReferenceKind kind, String afterName, int limit) {
        return reads.watch(Operation.REFERENCES, () -> store.references(kind, afterName, limit));
    }

    @Override
    public Optional<RepositoryRow> repository() {
        return reads.watch(Operation.REPOSITORY, store::repository);
    }

    @Override
    public List<Receipt> receipts(String scope) {
        return reads.watch(Operation.RECEIPTS, () -> store.receipts(scope));
    }

    @Override
    public List<Receipt> receiptsAfter(String afterScope, int limit) {
        return reads.watch(Operation.RECEIPTS_AFTER, () -> store.receiptsAfter(afterScope, limit));
    }

    @Override
    public long numbers(int count) {
        return writes.watch(Operation.NUMBERS, () -> store.numbers(count));
    }

    @Override
    public WriteOutcome write(List<CommitRow> rows, Collection<Long> adopted, Change change, List<Receipt> receipts) {
        return writes.watch(Operation.WRITE, () -> store.write(rows, adopted, change, receipts));
    }

    @Override
    public Turn turn(String name) {
        Turn turn = writes.watch(Operation.TURN, () -> store.turn(name));
        return new Turn() {
            @Override
            public Optional<ReferenceRow> reference() {
                return turn.reference();
            }

            @Override
            public void keep() {
                turn.keep();
            }

            @Override
            public WriteOutcome write(
                    List<CommitRow> rows, Collection<Long> adopted, Change change, List<Receipt> receipts) {
                return writes.watch(Operation.WRITE, () -> turn.write(rows, adopted, change, receipts));
            }

            @Override
            public void close() {
                turn.close();
            }
        };
    }

    @Override
    public void forgetReceipt(Receipt receipt) {
        writes.watch(Operation.FORGET_RECEIPT, () -> {
            store.forgetReceipt(receipt);
            return receipt;
        });
    }

    @Override
    public OptionalLong clockMicros() {
        return reads.watch(Operation.CLOCK, store::clockMicros);
    }

    @Override
    public void forgetReceipts(long expiredBeforeMicros) {
        writes.watch(Operation.FORGET_RECEIPTS, () -> {
            store.forgetReceipts(expiredBeforeMicros);
            return expiredBeforeMicros;
        });
    }

    @Override
    public void condemn(Collection<Long> numbers, long atMicros) {
        writes.watch(Operation.CONDEMN, () -> {
            store.condemn(numbers, atMicros);
            return numbers;
        });
    }

    @Override
    public List<Condemned> condemned(long afterNumber, int limit) {
        return reads.watch(Operation.CONDEMNED, () -> store.condemned(afterNumber, limit));
    }

    @Override
    public void spare(Collection<Long> numbers) {
        writes.watch(Operation.SPARE, () -> {
            store.spare(numbers);
            return numbers;
        });
    }

    @Override
    public int delete(Collection<Condemned> marks) {
        return writes.watch(Operation.DELETE, () -> store.delete(marks));
    }

    @Override
    public void close() {
        store.close();
    }
}
