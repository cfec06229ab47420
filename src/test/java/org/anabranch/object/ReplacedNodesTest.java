package org.anabranch.object;

import static org.anabranch.testing.RowCommits.key;
import static org.anabranch.testing.RowCommits.table;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.anabranch.model.Content;
import org.anabranch.model.ContentKey;
import org.anabranch.testing.RowCommits;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Nodes that commits replace leave the cache in time, and what is built on stays in it. */
class ReplacedNodesTest {

    private static final int TABLES = 400;
    private static final int COMMITS = 1_200;

    /** What each commit leaves in the cache: its header, its id, and entries for them. The nodes that it replaces take ten times that. */
    private static final int LEFT_BYTES = 2_000;

    private final RowCommits commits = new RowCommits();

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2})
    void theyMakeRoomForThoseThatCommitsNeed(long seed) {
        Random random = new Random(seed);
        Map<ContentKey, Optional<Content>> all = new HashMap<>();
        for (int n = 0; n < TABLES; n++) {
            all.put(key(n), Optional.of(table(n, 0)));
        }
        Commit first = commits.commit(Commit.NO_ANCESTOR, all);

        Commit half = change(first, random);
        long believed = commits.objects().cacheUse().bytes();
        commits.store().resetCounts();
        Commit head = change(half, random);

        assertThat(commits.store().chunksFetched()).isZero();
        assertThat(commits.objects().cacheUse().evictions()).isZero();
        assertThat(commits.objects().cacheUse().bytes() - believed).isLessThan((long) LEFT_BYTES * COMMITS);
        assertThat(head.seq()).isEqualTo(1 + 2 * COMMITS);

        // They are read from the store, if anybody wants them.
        List<IndexKey> keys = all.keySet().stream().map(IndexKey::of).toList();
        assertThat(keys)
                .allSatisfy(key -> assertThat(commits.index()
                                .find(first.tree(), key)
                                .orElseThrow()
                                .seq())
                        .isEqualTo(1));
        assertThat(commits.store().chunksFetched()).isPositive();
    }

    /** Commits to one table at a time. */
    private Commit change(Commit from, Random random) {
        Commit head = from;
        for (int version = 1; version <= COMMITS; version++) {
            int n = random.nextInt(TABLES);
            head = commits.commit(head, Map.of(key(n), Optional.of(table(n, version))));
        }
        return head;
    }
}
