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
