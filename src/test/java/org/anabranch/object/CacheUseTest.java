package org.anabranch.object;

import static org.anabranch.testing.RowCommits.key;
import static org.anabranch.testing.RowCommits.table;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.anabranch.model.Content;
import org.anabranch.model.ContentKey;
import org.anabranch.testing.RowCommits;
import org.junit.jupiter.api.Test;

/** What the cache tells of itself. */
class CacheUseTest {

    private final RowCommits commits = new RowCommits();

    private Commit load(int size) {
        Map<ContentKey, Optional<Content>> changes = new HashMap<>();
        for (int n = 0; n < size; n++) {
            changes.put(key(n), Optional.of(table(n, 1)));
        }
        return commits.commit(Commit.NO_ANCESTOR, changes);
    }

    @Test
    void whatIsFetchedWasMissedOnceAndIsFoundFromThenOn() {
        Commit head = load(10);
        commits.forgetCache(1_000_000);
        assertThat(commits.objects().cacheUse()).isEqualTo(new CacheUse(0, 0, 0, 0, 0, 1_000_000));

        commits.objects().commit(head.number());
        CacheUse fetched = commits.objects().cacheUse();
        assertThat(fetched.hits()).isZero();
        assertThat(fetched.misses())
                .as("the header, and the chunk that it lies in")
                .isEqualTo(2);
        assertThat(fetched.bytes()).isPositive();

        commits.objects().commit(head.number());
        assertThat(commits.objects().cacheUse().hits()).isEqualTo(1);
        assertThat(commits.objects().cacheUse().misses()).isEqualTo(2);
    }

    @Test
    void whatMakesRoomIsCounted() {
        Commit head = load(2_000);
        commits.forgetCache(10_000);
        for (int n = 0; n < 2_000; n += 50) {
            assertThat(commits.index().find(head.tree(), IndexKey.of(key(n)))).isPresent();
        }

        CacheUse use = commits.objects().cacheUse();
        assertThat(use.evictions()).isPositive();
        assertThat(use.evictedBytes()).isGreaterThan(use.evictions());
        assertThat(use.bytes()).isLessThanOrEqualTo(use.mostBytes());
    }
}
