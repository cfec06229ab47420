package org.anabranch.object;

import static org.anabranch.testing.RowCommits.key;
import static org.anabranch.testing.RowCommits.table;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.anabranch.index.KeyRange;
import org.anabranch.model.Content;
import org.anabranch.model.ContentKey;
import org.anabranch.object.CommitRowBuilder.Built;
import org.anabranch.testing.RowCommits;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What commits cost in rows, bytes and trips, counted on real rows. */
class CommitCostTest {

    private static final int ROUNDS = 400;

    private final RowCommits commits = new RowCommits();

    @ParameterizedTest(name = "{0} keys")
    @CsvSource({"1000, 3", "10000, 3", "100000, 4"})
    void aCommitOfOneTableIsOneSmallRowWhateverTheSizeOfTheCatalog(int size, int depth) {
        Commit head = load(size);
        assertThat(head.tree().count()).isEqualTo(size);
        assertThat(head.tree().level() + 1).isEqualTo(depth);
        assertThat(commits.store().rowBytesWritten()).as("bytes of the load").isLessThan(1_200L * size);

        Random random = new Random(size);
        long[] bytes = new long[ROUNDS];
        for (int i = 0; i < ROUNDS; i++) {
            commits.store().resetCounts();
            int n = random.nextInt(size);
            head = commits.commit(head, Map.of(key(n), Optional.of(table(n, 2 + i))));
            assertThat(commits.store().rowsWritten()).isEqualTo(1);
            bytes[i] = commits.store().rowBytesWritten();
        }
        Arrays.sort(bytes);
        long mean = Arrays.stream(bytes).sum() / ROUNDS;
        assertThat(mean).isLessThan(2_600);
        assertThat(bytes[ROUNDS - 1]).as("the largest").isLessThan(12_000);

        commits.forgetCache(64_000_000);
        commits.store().resetCounts();
        assertThat(commits.index().find(commits.objects().commit(head.number()).tree(), IndexKey.of(key(7))))
                .isPresent();
        assertThat(commits.store().trips()).isLessThanOrEqualTo(1 + 2 * depth);
        assertThat(commits.index().count(head.tree(), KeyRange.ALL)).isEqualTo(size);

        StagedObjects staged = new StagedObjects(commits.objects());
        Map<ContentKey, Optional<Content>> many = new HashMap<>();
        for (int i = 0; i < 1000; i++) {
            int n = random.nextInt(size);
            many.put(key(n), Optional.of(table(n, -1)));
        }
        commits.store().resetCounts();
        Built built = commits.build(staged, 1_000_000_000, head, many);
        assertThat(commits.store().trips()).isLessThanOrEqualTo(2 * depth);
        assertThat(built.row().chunks().stream()
                        .mapToLong(chunk -> chunk.length)
                        .sum())
                .isLessThan(1_000L * many.size());
    }

    /** Loads tables in random order in commits of a thousand or more. */
    private Commit load(int size) {
        List<Integer> order = new ArrayList<>();
        for (int n = 0; n < size; n++) {
            order.add(n);
        }
        Collections.shuffle(order, new Random(1));
        int batch = Math.max(1000, size / 10);
        Commit head = Commit.NO_ANCESTOR;
        for (int from = 0; from < size; from += batch) {
            Map<ContentKey, Optional<Content>> changes = new HashMap<>();
            order.subList(from, from + batch).forEach(n -> changes.put(key(n), Optional.of(table(n, 1))));
            head = commits.commit(head, changes);
        }
        return head;
    }
}
