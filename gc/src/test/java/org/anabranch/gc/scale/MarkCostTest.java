package org.anabranch.gc.scale;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.anabranch.gc.Progress;
import org.anabranch.gc.Workers;
import org.anabranch.gc.mark.Mark;
import org.anabranch.gc.policy.CutoffPolicies;
import org.anabranch.gc.policy.CutoffPolicy;
import org.anabranch.gc.state.StateFolder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Marking reads each commit once, one tree, and changes: never a tree for each commit or reference. */
class MarkCostTest {

    private static final int TABLES = 10_000;
    private static final int COMMITS = 10_000;
    private static final int BRANCHES = 50;

    @TempDir
    private Path folder;

    @Test
    void readsEntriesInTheOrderOfTablesAndChanges() {
        GeneratedCatalog catalog = new GeneratedCatalog(
                TABLES, COMMITS, BRANCHES, (table, version) -> "file:/lake/" + table + "/" + version + ".json");

        assertThat(live(catalog, "NONE")).hasSize(TABLES + COMMITS - 1);
        assertThat(catalog.commitsRead()).isEqualTo(COMMITS);
        // What the commits put, and the tree of the first one.
        assertThat(catalog.entriesRead()).isLessThanOrEqualTo(2L * TABLES + COMMITS);
    }

    @Test
    void readsOneTreeAndChangesForManyHeads() {
        GeneratedCatalog catalog = new GeneratedCatalog(
                TABLES, COMMITS, BRANCHES, (table, version) -> "file:/lake/" + table + "/" + version + ".json");

        live(catalog, "1");

        assertThat(catalog.commitsRead()).isEqualTo(COMMITS);
        // What the commits put, the tree of the oldest head, and what changed from each head to the next.
        assertThat(catalog.entriesRead()).isLessThanOrEqualTo(2L * TABLES + 2L * COMMITS);
    }

    private List<?> live(GeneratedCatalog catalog, String policy) {
        CutoffPolicies.ByName policies = new CutoffPolicies.ByName(List.of(), CutoffPolicy.parse(policy));
        try (StateFolder state = StateFolder.open(folder, catalog.repository());
                Workers workers = new Workers(2)) {
            new Mark(
                            catalog,
                            state.commitLog(),
                            state.liveSet(),
                            workers,
                            Progress.NONE,
                            new CutoffPolicies(policies, policies),
                            List.of(),
                            Instant.EPOCH.plusSeconds(COMMITS))
                    .markAll();
            return state.liveSet().unexpanded(Integer.MAX_VALUE);
        }
    }
}
