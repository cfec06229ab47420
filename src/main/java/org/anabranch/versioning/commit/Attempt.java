package org.anabranch.versioning.commit;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.anabranch.object.Commit;
import org.anabranch.object.CommitRowBuilder.Built;
import org.anabranch.store.Receipt;
import org.anabranch.store.ReferenceRow;
import org.anabranch.versioning.commit.PendingChange.Judged;
import org.jspecify.annotations.Nullable;

/**
 * One try to publish a batch on one head.
 *
 * @param seen the reference that it was judged on
 * @param judged in batch order
 * @param staged empty if there is nothing to publish
 * @param bytes of what is staged
 * @param head what the branch shall point at
 */
record Attempt(ReferenceRow seen, List<Judged> judged, List<Built> staged, long bytes, Commit head) {

    /** What became of an attempt, by what a reference remembers. */
    enum Fate {
        /** Its head is on the reference's first-parent line, or among its published heads. */
        PUBLISHED,
        /** The reference has moved otherwise, and the write was conditional on where it was. */
        LOST,
        /** The write may still arrive. */
        OPEN,
        /**
         * Nobody can say any more: the reference is gone or was created anew, or has moved so often that it does not remember
         * where the attempt would have moved it, and may have been assigned away from there.
         */
        FORGOTTEN
    }

    /**
     * Decides an attempt whose outcome the store did not tell. O(log h) reads.
     *
     * @param row the reference by now; null if there is none
     * @param stored an empty stage
     */
    Fate fate(@Nullable ReferenceRow row, Stage stored) {
        if (row == null) {
            return Fate.FORGOTTEN;
        }
        if (isIn(row, stored)) {
            return Fate.PUBLISHED;
        }
        long moves = row.version() - seen.version();
        if (row.incarnation() != seen.incarnation()
                || moves - 1 > row.published().size()) {
            return Fate.FORGOTTEN;
        }
        return moves > 0 ? Fate.LOST : Fate.OPEN;
    }

    private boolean isIn(ReferenceRow row, Stage stored) {
        if (row.published().stream().anyMatch(published -> published.head().number() == head.number())) {
            return true;
        }
        Commit now = stored.objects().commit(row.head().number());
        return now.seq() >= head.seq()
                && stored.graph().ancestor(now, head.seq()).number() == head.number();
    }

    /** How many changes have commits in it. */
    int changes() {
        return (int) judged.stream().filter(one -> one.staged() != null).count();
    }

    Set<Long> adopted() {
        Set<Long> numbers = new LinkedHashSet<>();
        judged.forEach(one -> one.adopted().forEach(commit -> numbers.add(commit.number())));
        return numbers;
    }

    List<Receipt> receipts() {
        return judged.stream().flatMap(one -> Stream.ofNullable(one.receipt())).toList();
    }

    /** Whether a receipt is one of its own. */
    boolean holds(Receipt existing) {
        return receipts().stream()
                .anyMatch(own ->
                        own.scope().equals(existing.scope()) && own.head().equals(existing.head()));
    }
}
