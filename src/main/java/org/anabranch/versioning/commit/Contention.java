package org.anabranch.versioning.commit;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.time.Duration;
import org.anabranch.store.ReferenceRow;

/** Which branches others move as well. Safe from many threads. */
final class Contention {

    /** So long after others moved a branch last, it is raced for again. */
    private static final Duration MEMORY = Duration.ofSeconds(2);

    /** To be forgotten is to lose one more race. */
    private static final int BRANCHES = 10_000;

    /**
     * @param version of the reference when this process saw or moved it last
     * @param foreignNanos when somebody else had moved it
     */
    private record Seen(long version, long foreignNanos) {}

    private final Ticker ticker;
    private final Cache<String, Seen> seen =
            Caffeine.newBuilder().maximumSize(BRANCHES).executor(Runnable::run).build();

    Contention(Ticker ticker) {
        this.ticker = ticker;
    }

    /** Whether others moved the branch lately. */
    boolean is(String branch) {
        Seen last = seen.getIfPresent(branch);
        if (last == null) {
            return false;
        }
        if (ticker.nanos() - last.foreignNanos() > MEMORY.toNanos()) {
            seen.invalidate(branch);
            return false;
        }
        return true;
    }

    /** A race was lost. */
    void lost(String branch) {
        seen.put(branch, new Seen(-1, ticker.nanos()));
    }

    /** A branch was read: if it is not where it was left, others moved it. */
    void saw(ReferenceRow row) {
        seen.asMap()
                .computeIfPresent(
                        row.name(),
                        (name, last) ->
                                last.version() == row.version() ? last : new Seen(row.version(), ticker.nanos()));
    }

    /** This process moved a branch. */
    void moved(ReferenceRow now) {
        seen.asMap().computeIfPresent(now.name(), (name, last) -> new Seen(now.version(), last.foreignNanos()));
    }
}
