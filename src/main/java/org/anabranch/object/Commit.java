package org.anabranch.object;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import org.anabranch.model.CommitHeader;
import org.anabranch.model.CommitId;
import org.anabranch.model.CommitMeta;
import org.anabranch.store.Head;
import org.anabranch.store.Instants;
import org.jspecify.annotations.Nullable;

/**
 * A commit's header: what it extends, where it stands in the graph, and the root of its key index.
 *
 * @param number of its row; 0 for {@link #NO_ANCESTOR} alone
 * @param parents first the commit whose line it extends, then merge sources; a first commit has
 *     {@link Head#NO_ANCESTOR} as its only first parent
 * @param seq length of the first-parent line; 1 for a first commit, 0 for no ancestor
 * @param jump number of an earlier commit on the line (skew-binary jump pointer); 0 for no ancestor
 * @param jumpSeq {@code seq} of the commit at {@code jump}
 * @param jumpFloor no commit that is reached from this one by any parents, but not from {@code jump}, has a lower
 *     {@code generation}; 0 for no ancestor, else from 1 to {@code generation}
 * @param generation one more than the highest of all parents
 * @param lastMerge number of the nearest commit on the line, itself included, with more than one parent; 0 if none
 * @param createdAtMicros in microseconds since the epoch; greater than the first parent's
 * @param meta null for {@link #NO_ANCESTOR} alone
 */
public record Commit(
        long number,
        CommitId id,
        List<Head> parents,
        long seq,
        long jump,
        long jumpSeq,
        long jumpFloor,
        long generation,
        long lastMerge,
        Tree tree,
        long createdAtMicros,
        @Nullable CommitMeta meta) {

    /** The commit before every first commit. It is in no store; readers know it. */
    public static final Commit NO_ANCESTOR =
            new Commit(0, CommitId.NO_ANCESTOR, List.of(), 0, 0, 0, 0, 0, 0, Tree.EMPTY, Long.MIN_VALUE, null);

    public Commit {
        parents = List.copyOf(parents);
    }

    /** A commit where its parents put it. */
    public Commit(
            long number,
            CommitId id,
            List<Head> parents,
            GraphPosition position,
            Tree tree,
            long createdAtMicros,
            @Nullable CommitMeta meta) {
        this(
                number,
                id,
                parents,
                position.seq(),
                position.jump(),
                position.jumpSeq(),
                position.jumpFloor(),
                position.generation(),
                parents.size() > 1 ? number : position.lastMerge(),
                tree,
                createdAtMicros,
                meta);
    }

    public boolean isNoAncestor() {
        return number == 0;
    }

    /** The metadata of a commit that is not {@link #NO_ANCESTOR}. */
    public CommitMeta requireMeta() {
        return Objects.requireNonNull(meta, "No ancestor has no metadata");
    }

    public boolean isMerge() {
        return parents.size() > 1;
    }

    /** This commit as others point at it. */
    public Head head() {
        return new Head(number, id);
    }

    /**
     * The id that a commit with this header and those operations has.
     *
     * @param operations per key the entry that was put, or empty for a deleted key
     */
    public CommitId idWith(SortedMap<IndexKey, Optional<IndexEntry>> operations) {
        return CommitCodec.hash(
                parents.stream().map(Head::id).toList(), seq, createdAtMicros, requireMeta(), operations);
    }

    /** This commit as it is shown; {@link #NO_ANCESTOR} never is. */
    public CommitHeader header() {
        return new CommitHeader(
                id, parents.stream().map(Head::id).toList(), Instants.ofMicros(createdAtMicros), requireMeta());
    }
}
