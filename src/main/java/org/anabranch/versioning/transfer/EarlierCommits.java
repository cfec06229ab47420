package org.anabranch.versioning.transfer;

import java.util.Arrays;
import java.util.OptionalLong;
import org.anabranch.model.CommitId;
import org.anabranch.store.CommitLinks;
import org.anabranch.store.Pages;
import org.anabranch.store.Store;

/** The commits that are in a store already, by id. Takes about 60 bytes a commit. Not safe from many threads. */
final class EarlierCommits {

    private static final int COMMITS_PER_TRIP = 4_096;

    private final CommitIds ids = new CommitIds();
    private long[] numbers = new long[1_024];

    /** None. */
    EarlierCommits() {}

    /** All that a store has. Costs a trip for some thousands. */
    static EarlierCommits list(Store store) {
        EarlierCommits earlier = new EarlierCommits();
        Pages.all(0L, last -> store.links(last, COMMITS_PER_TRIP), CommitLinks::number)
                .forEach(rows -> rows.forEach(earlier::add));
        return earlier;
    }

    /** Of commits that are stored twice the first counts, as it does for {@link Store#find}. */
    private void add(CommitLinks row) {
        int before = ids.size();
        int ordinal = ids.add(row.id());
        if (ordinal > before) {
            if (ordinal > numbers.length) {
                numbers = Arrays.copyOf(numbers, 2 * numbers.length);
            }
            numbers[ordinal - 1] = row.number();
        }
    }

    /** The number of a commit's row; empty if there is none. */
    OptionalLong number(CommitId id) {
        int ordinal = ids.ordinal(id);
        return ordinal == 0 ? OptionalLong.empty() : OptionalLong.of(numbers[ordinal - 1]);
    }
}
