package org.anabranch.store;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.anabranch.model.CommitId;
import org.anabranch.model.ReferenceKind;

/**
 * Where a repository lives: immutable commit rows, and the few rows that change (references, the repository record,
 * receipts).
 *
 * <p>Safe from many threads; stores that say so in their own documentation also from many processes. Every method may
 * throw {@link StoreUnavailableException} (nothing happened, try later). Byte arrays are handed over, not shared:
 * neither side changes one after a call. Texts hold no U+0000 and no unpaired surrogate, which not every database can
 * keep.
 *
 * <p>What a store must be able to do is little: keep rows, then write one small record on a condition. Everything that is
 * written by one call of {@link #write} becomes visible with that conditional write or not at all, with three exceptions
 * for stores that have no transaction around it. After a write that was refused or never ended, such a store may keep
 *
 * <ul>
 *   <li>its commit rows: no reference reaches them, and the sweep takes them;
 *   <li>its receipts: those of commits do not count, because their head is on no branch's line, and those of creates do not,
 *       because no reference has that incarnation. An assignment leaves no such mark: such a store must not keep its receipt;
 *   <li>the adoption of its adopted commits: the sweep only spares them longer.
 * </ul>
 *
 * <p>The contract suite {@code StoreContract} says the rest by example.
 */
public interface Store extends AutoCloseable {

    /**
     * Looks up the numbers of commits, reached by a reference or not. Costs one store trip.
     *
     * @return a number for each id that is stored, the lowest if there are several; unknown ids are absent
     */
    Map<CommitId, Long> find(Collection<CommitId> ids);

    /**
     * Fetches chunks of commit rows, in bulk: one store trip, whatever the number of chunks.
     *
     * @param chunks without duplicates
     * @return the chunks in the order asked for
     * @throws MissingRowException if one of them is not stored; it names them all
     */
    List<byte[]> fetch(List<ChunkAddress> chunks);

    /**
     * Lists commit rows in order of their numbers, reached by a reference or not: what a check and a sweep go by. Costs one store
     * trip and the rows returned, never their chunks.
     *
     * @param afterNumber the last number not wanted, of a row or not; 0 for a list from the start
     * @param limit the most rows returned, at least 1
     */
    List<CommitLinks> links(long afterNumber, int limit);

    /** The reference of that name, of either kind. Costs one store trip. */
    Optional<ReferenceRow> reference(String name);

    /**
     * Lists references of one kind in order of their names' UTF-8 bytes. Costs one store trip and the rows returned.
     *
     * @param afterName the last name not wanted, of a reference or not; the empty string for a list from the start
     * @param limit the most rows returned, at least 1
     */
    List<ReferenceRow> references(ReferenceKind kind, String afterName, int limit);

    /** The repository record; empty for a store on which none was ever written. Costs one store trip. */
    Optional<RepositoryRow> repository();

    /**
     * Takes a block of numbers for commits and incarnations. No number is handed out twice in the life of a repository,
     * also across crashes; gaps are fine. Durable on return. Costs a durable write: take large blocks.
     *
     * @param count the size of the block, at least 1
     * @return the first number of the block, at least 1
     */
    long numbers(int count);

    /**
     * The receipts kept under a scope: at most one if this store writes in one transaction. Costs one store trip.
     */
    List<Receipt> receipts(String scope);

    /**
     * Lists receipts, expired ones too, in order of their scopes' UTF-8 bytes; those of one scope come together. Costs one store
     * trip and the receipts returned.
     *
     * @param afterScope the last scope not wanted; the empty string for a list from the start
     * @param limit the most receipts returned, at least 1; but those of one scope are never parted
     */
    List<Receipt> receiptsAfter(String afterScope, int limit);

    /**
     * Stores new commit rows and receipts and changes one mutable row, as one step.
     *
     * <p>Visible to every reader of this store on return, and durable. A commit row whose number is already there is left as
     * it is, so a repeat is harmless. Costs one store trip, whatever the number of rows. If several things are wrong, the outcome
     * names the first of: receipt taken, reference or repository record not as expected, adopted commits missing.
     *
     * <p>What the change makes reachable is not condemned any more: the marks of {@code adopted} and of the expected head, and of
     * all their ancestors that carry one, go in the same step. They are found by going from one marked row to its marked parents,
     * so a write costs nothing for history that is not condemned.
     *
     * @param rows parents before children, without duplicates; may be empty. Parents are in {@code rows} or stored, which
     *     only the memory store checks
     * @param adopted numbers of stored commits that the change makes reachable although no reference may have reached
     *     them before: all that {@code rows} or the new head point at, except the expected head. The target of a create or
     *     assign, the source of a merge. 0, no ancestor, is always there. That none is left out, only the memory store checks.
     *     One that {@link #delete} has begun with is missing
     * @param change the row to change, with the state that the caller saw and the state that it shall have. What the new
     *     state points at is in {@code rows} or already stored, which only the memory store checks
     * @param receipts kept from now on, with different scopes. A scope that is taken refuses the write, if this store
     *     writes in one transaction
     * @return {@link WriteOutcome.Written}, or why nothing changed
     * @throws IllegalArgumentException if a row's number is that of another commit; nothing is written
     * @throws OutcomeUnknownException the store did not say: the write happened, will happen or never happens. Whether the
     *     new state is visible decides
     */
    WriteOutcome write(List<CommitRow> rows, Collection<Long> adopted, Change change, List<Receipt> receipts);

    /**
     * Marks rows that no reference reaches. A row that carries a mark keeps it, and one that is not stored gets none. Durable on
     * return, harmless if repeated; costs a durable write. May throw {@link OutcomeUnknownException}, as all that changes marks.
     *
     * <p>A row is read as before. If it was reached meanwhile after all, nothing is wrong yet: see {@link #delete}.
     *
     * @param numbers of rows, without duplicates
     * @param atMicros in microseconds since the epoch
     */
    void condemn(Collection<Long> numbers, long atMicros);

    /**
     * Lists marks in order of their rows' numbers. Costs one store trip and the marks returned.
     *
     * @param afterNumber the last number not wanted; 0 for a list from the start
     * @param limit the most marks returned, at least 1
     */
    List<Condemned> condemned(long afterNumber, int limit);

    /**
     * Takes the marks from rows, and from all their ancestors that carry one, as {@link #write} does. Durable on return, harmless
     * if repeated.
     */
    void spare(Collection<Long> numbers);

    /**
     * Deletes rows, chunks and all, that still carry the marks given; leaves the others. Durable on return, harmless if repeated.
     * Costs a durable write.
     *
     * <p>The caller has seen to it, as {@code versioning.sweep} explains, that every stored child of such a row is deleted before
     * it or with it, and that no reference led to it when it was looked for after the mark was made. Whatever came to lead to it
     * since has taken its mark.
     *
     * <p>From the first row on that is deleted by a call, a {@link #write} that adopts one of them is refused. A store without
     * transactions turns the mark into one that says so, on the condition that it is still the one given, then deletes the row, and
     * the mark last; what a crash leaves of it is listed by {@link #condemned} and deleted by the next call.
     *
     * @param marks without duplicates
     * @return how many rows were deleted
     */
    int delete(Collection<Condemned> marks);

    /**
     * Begins a turn at moving a reference, for processes that lose race after race for it to each other: of those who move it in
     * turns nobody starves. They come up roughly in the order of asking, and may overtake one another when the turn changes hands. A
     * store that one process holds alone needs nothing for that, nor does one that cannot do better; nothing is ever lost for it,
     * because every write is conditional all the same.
     *
     * <p>A store in which turns exclude one another bounds how long it hears nothing of one before it takes it away (see
     * {@link Turn#keep}), and how long others wait for it. Costs a store trip.
     *
     * @throws StoreUnavailableException also if it took too long until the turn came
     */
    default Turn turn(String name) {
        return Turn.ofNobody(this, reference(name));
    }

    /**
     * Drops one receipt, which does not count any more, if it is still kept: its scope is free then. Another one under the same
     * scope stays.
     */
    void forgetReceipt(Receipt receipt);

    /**
     * The time that receipts expire by, in microseconds since the epoch: that of the store's own clock, if several processes share
     * the store and their clocks may differ; empty if one process holds it alone, whose clock is as good. Costs a store trip if
     * there is one.
     */
    OptionalLong clockMicros();

    /** Drops receipts that expired before an instant, in microseconds since the epoch. */
    void forgetReceipts(long expiredBeforeMicros);

    /** Gives up what this process holds of the store. A second call does nothing. */
    @Override
    void close();
}
