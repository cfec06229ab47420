package org.anabranch.versioning.transfer;

import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import org.anabranch.model.CommitId;
import org.anabranch.object.ExportedCommit;
import org.anabranch.object.LogicalCommit;
import org.anabranch.store.Instants;

/**
 * What must be known of every commit of an import while further ones come: ids, {@code seq} and times by ordinal. Takes 56 to 64
 * bytes a commit. Not safe from many threads.
 */
public final class CommitLedger {

    /** The latest time of a commit: so far from the end of numbers that those after it, each a microsecond younger, find room. */
    static final Instant LATEST = Instant.parse("9999-12-31T23:59:59.999999Z");

    private static final long LATEST_MICROS = Instants.micros(LATEST);

    private final CommitIds ids = new CommitIds();
    private long[] seqs = new long[1_024];
    private long[] createdAtMicros = new long[1_024];

    /** How many commits there are; the last one's ordinal. */
    public int size() {
        return ids.size();
    }

    /** The id of a commit; of 0 it is no ancestor. */
    public CommitId id(int ordinal) {
        return ordinal == 0 ? CommitId.NO_ANCESTOR : ids.id(ordinal);
    }

    /** The ordinal of a commit; 0 if it is not there. */
    public int ordinal(CommitId id) {
        return ids.ordinal(id);
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
     * @throws IllegalArgumentException if it is not what its hash says, or does not follow from its parents, or is there already
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
        int before = size();
        int there = ids.add(exported.id());
        if (there <= before) {
            throw new IllegalArgumentException("it is there already, as commit number " + there);
        }
        if (before == seqs.length) {
            seqs = Arrays.copyOf(seqs, 2 * before);
            createdAtMicros = Arrays.copyOf(createdAtMicros, 2 * before);
        }
        seqs[before] = commit.seq();
        createdAtMicros[before] = commit.createdAtMicros();
    }
}
