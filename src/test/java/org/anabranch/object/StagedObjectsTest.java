package org.anabranch.object;

import static org.anabranch.testing.RowCommits.key;
import static org.anabranch.testing.RowCommits.table;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.anabranch.testing.RowCommits;
import org.junit.jupiter.api.Test;

class StagedObjectsTest {

    @Test
    void theSignIsGivenBeforeWhatIsStoredIsReadAndForNothingElse() {
        RowCommits rows = new RowCommits();
        Commit stored = rows.commit(Commit.NO_ANCESTOR, Map.of(key(1), Optional.of(table(1, 1))));
        CommitRowBuilder.Built built = rows.build(rows.objects(), 99, stored, Map.of(key(2), Optional.of(table(2, 1))));
        Commit commit = built.commit();
        StagedObjects staged = new StagedObjects(rows.objects());
        staged.add(built);
        AtomicInteger signs = new AtomicInteger();
        staged.giveSign(signs::incrementAndGet);

        assertThat(staged.commit(99)).isEqualTo(commit);
        assertThat(staged.commits(List.of(99L, 99L))).containsExactly(commit, commit);
        assertThat(staged.findCommits(List.of(commit.id()))).containsOnlyKeys(commit.id());
        assertThat(staged.nodes(List.of(commit.tree().root()))).hasSize(1);
        assertThat(staged.contents(List.of())).isEmpty();
        assertThat(staged.operations(commit)).hasSize(1);
        assertThat(signs).hasValue(0);

        assertThat(staged.commits(List.of(99L, stored.number()))).containsExactly(commit, stored);
        assertThat(signs).hasValue(1);
        assertThat(staged.nodes(List.of(commit.tree().root(), stored.tree().root())))
                .hasSize(2);
        assertThat(signs).hasValue(2);
    }
}
