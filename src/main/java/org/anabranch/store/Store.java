package org.anabranch.store;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.anabranch.model.CommitId;
import org.anabranch.model.ReferenceKind;

/**
 * Where a repository lives: immutable commit rows, and the few rows that change (references, the repository record,
 * receipts).
 *
 * <p>Safe from many threads; stores that say so in their own documentation also from many processes. Every method may
 * throw {@link StoreUnavailableException} (nothing happened, try later). Byte arrays are handed over, not shared:
 * neither side changes one after a call.
 *
 * <p>A store needs to be able to do just this: write rows, then one conditional write of one small record. Everything
 * that is written by one call of {@link #write} becomes visible with that conditional write or not at all, except for
 * commit rows, which may remain after a refusal: nothing reaches them, and the sweep takes them.
 */
public interface Store extends AutoCloseable {

    /**
     * Looks up the numbers of commits.
     *
     * @return a number for each id that is stored; unknown ids are absent
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

    /** The reference of that name, of either kind. Costs one store trip. */
    Optional<ReferenceRow> reference(String name);

    /**
     * Lists references of one kind in order of their names' bytes.
     *
     * @param afterName the last name not wanted; the empty string for a list from the start
     * @param limit the most rows returned, at least 1
     */
    List<ReferenceRow> references(ReferenceKind kind, String afterName, int limit);

    /** The repository record; empty for a store on which none was ever written. */
    Optional<RepositoryRow> repository();

    /**
     * Takes a block of numbers for commits and incarnations. No number is handed out twice in the life of a repository,
     * also across crashes; gaps are fine. Durable on return.
     *
     * @param count the size of the block, at least 1
     * @return the first number of the block, at least 1
     */
    long numbers(int count);

    /** The receipt kept under a scope. */
    Optional<Receipt> receipt(String scope);

    /**
     * Stores new commit rows and receipts and changes one mutable row, as one step.
     *
     * <p>Visible to every reader of this store on return, and durable. A commit row whose number is already there is left as
     * it is, so a repeat is harmless. Costs one store trip, whatever the number of rows.
     *
     * @param rows parents before children, without duplicates; may be empty
     * @param adopted numbers of stored commits that the change makes reachable although no reference may have reached
     *     them before: the target of a create or assign, the source of a merge
     * @param change the row to change, with the state that the caller saw and the state that it shall have. What the new
     *     state points at is in {@code rows} or already stored, which only the memory store checks
     * @param receipts kept from now on; their scopes must not be taken
     * @throws OutcomeUnknownException the store did not say; whether the change is visible decides
     */
    WriteOutcome write(List<CommitRow> rows, Collection<Long> adopted, Change change, List<Receipt> receipts);

    /** Drops receipts that expired before an instant. */
    void forgetReceipts(long expiredBeforeMicros);

    @Override
    void close();
}
