package org.anabranch.versioning.commit;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.util.List;
import java.util.Optional;
import org.anabranch.store.ReferenceRow;

/** Where this process moved branches last. Safe from many threads. */
final class LastMoves {

    /** To be forgotten is to lose one race, to a move that was one's own. */
    private static final int BRANCHES = 1_000;

    private final Cache<String, ReferenceRow> rows =
            Caffeine.newBuilder().maximumSize(BRANCHES).executor(Runnable::run).build();

    void moved(ReferenceRow now) {
        rows.put(now.name(), now);
    }

    /**
     * The newest state of a branch that is known without asking the store.
     *
     * @param seen states that were read of the branch, at least one
     * @return empty if it was deleted and created again, and nobody knows which is newer
     */
    Optional<ReferenceRow> newest(List<ReferenceRow> seen) {
        ReferenceRow newest = rows.getIfPresent(seen.get(0).name());
        for (ReferenceRow row : seen) {
            if (newest != null && newest.incarnation() != row.incarnation()) {
                return Optional.empty();
            }
            if (newest == null || newest.version() < row.version()) {
                newest = row;
            }
        }
        return Optional.ofNullable(newest);
    }
}
