package org.anabranch.versioning.transfer;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.anabranch.model.CommitId;
import org.anabranch.object.ExportedCommit;
import org.anabranch.object.LogicalCommit;
import org.anabranch.store.Instants;

/**
 * What must be known of every commit of an import while further ones come: ids, {@code seq} and times by ordinal. Takes 48 bytes a
 * commit. Not safe from many threads.
 */
public final class CommitLedger {

    /** The latest time of a commit: so far from the end of numbers that those after it, each a microsecond younger, find room. */
    static final Instant LATEST = Instant.parse("9999-12-31T23:59:59.999999Z");

    private static final long LATEST_MICROS = Instants.micros(LATEST);

    private static final int IDS_PER_BLOCK = 1 << 15;

    /** In blocks, because one array would end at 67 million. */
    private final List<byte[]> ids = new ArrayList<>();

    private long[] seqs = new long[1_024];
    private long[] createdAtMicros = new long[1_024];
    private int size;

    /** How many commits there are; the last one's ordinal. */
    public int size() {
        return size;
    }

    /** The id of a commit; of 0 it is no ancestor. */
    public CommitId id(int ordinal) {
        if (ordinal == 0) {
            return CommitId.NO_ANCESTOR;
        }
        byte[] block = ids.get((ordinal - 1) / IDS_PER_BLOCK);
        int from = (ordinal - 1) % IDS_PER_BLOCK * CommitId.BYTES;
        return CommitId.of(Arrays.copyOfRange(block, from, from + CommitId.BYTES));
    }

    public List<CommitId> ids(List<Integer> ordinals) {
        return ordinals.stream().map(this::id).toList();
    }

    /** The length of a commit's line; 0 for no ancestor. */
    public long seq(int ordinal) {
        return ordinal == 0 ? 0 : seqs[ordinal - 1];
    }

    /** When a commit was made; for no ancestor before everything. */
    public long createdAtMicros(int ordinal) {
        return ordinal == 0 ? Long.MIN_VALUE : createdAtMicros[ordinal - 1];
    }

    /**
     * Adds a commit as the next one.
     *
     * @throws IllegalArgumentException if it is not what its hash says, or does not follow from its parents
     */
    public void add(ExportedCommit exported) {
        LogicalCommit commit = exported.commit();
        int first = exported.parents().getFirst();
        if (exported.parents().lastIndexOf(0) > 0) {
            throw new IllegalArgumentException("a merge source of it is no commit");
        }
        if (commit.seq() != seq(first) + 1) {
            throw new IllegalArgumentException(
                    "it says that its line has length " + commit.seq() + ", and that of its parent has " + seq(first));
        }
        if (commit.createdAtMicros() <= createdAtMicros(first)) {
            throw new IllegalArgumentException("it is not younger than its parent");
        }
        if (commit.createdAtMicros() > LATEST_MICROS) {
            throw new IllegalArgumentException("it was made after " + LATEST);
        }
        if (!commit.id().equals(exported.id())) {
            throw new IllegalArgumentException("its hash is " + commit.id());
        }
        if (size == seqs.length) {
            seqs = Arrays.copyOf(seqs, 2 * size);
            createdAtMicros = Arrays.copyOf(createdAtMicros, 2 * size);
        }
        int place = size % IDS_PER_BLOCK;
        if (place == 0) {
            ids.add(new byte[IDS_PER_BLOCK * CommitId.BYTES]);
        }
        System.arraycopy(exported.id().toBytes(), 0, ids.getLast(), place * CommitId.BYTES, CommitId.BYTES);
        seqs[size] = commit.seq();
        createdAtMicros[size] = commit.createdAtMicros();
        size++;
    }
}
