package org.anabranch.versioning.merge;

import static org.anabranch.testing.TestCatalog.MAIN;
import static org.anabranch.testing.TestCatalog.delete;
import static org.anabranch.testing.TestCatalog.put;
import static org.anabranch.testing.TestCatalog.table;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.anabranch.model.CommitId;
import org.anabranch.model.ConflictType;
import org.anabranch.model.ContentId;
import org.anabranch.model.MergeOutcome;
import org.anabranch.model.MergeOutcome.Conflicted;
import org.anabranch.model.MergeOutcome.Merged;
import org.anabranch.model.MergeOutcome.NothingToDo;
import org.anabranch.store.Change;
import org.anabranch.store.Head;
import org.anabranch.store.ReferenceRow;
import org.anabranch.store.memory.MemoryStore;
import org.anabranch.testing.FaultyStore;
import org.anabranch.testing.TestCatalog;
import org.anabranch.versioning.commit.WriteLimits;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Merges whose target moves between the plan and the write. */
class MergeRacesTest {

    private final MemoryStore memory = new MemoryStore();
    private final FaultyStore store = new FaultyStore(memory);
    private final TestCatalog catalog = new TestCatalog(store, memory, WriteLimits.DEFAULT, 0);
    private final TestCatalog other = new TestCatalog(memory, memory, WriteLimits.DEFAULT, 1_000_000);
    private ContentId u;
    private CommitId first;

    /**
     * <pre>
     *   base: u   main
     *    \
     *     first: u changed --- x added   side
     * </pre>
     */
    @BeforeEach
    void sides() {
        catalog.commit(MAIN, put("u", table("u0")));
        u = catalog.id(MAIN, "u");
        catalog.branch("side", MAIN);
        first = catalog.commit("side", put("u", table("u1"), u));
        catalog.commit("side", put("x", table("x")));
        catalog.branchAt("first", first);
    }

    private void meanwhile(Runnable foreign) {
        store.foreignFirst(store.writes() + 1, foreign);
    }

    @Test
    void aCommitToAnotherKeyMovesTheMergeOn() {
        meanwhile(() -> other.commit(MAIN, put("theirs", table("theirs"))));
        Merged merged = (Merged) catalog.merge("side", MAIN);
        assertThat(merged.report().evaluatedHead())
                .isEqualTo(catalog.log(MAIN).get(1).id());
        assertThat(catalog.contents(MAIN)).hasSize(3);
    }

    @Test
    void aCommitToTheSameKeyIsAConflict() {
        meanwhile(() -> other.commit(MAIN, put("u", table("theirs"), u)));
        assertThat(catalog.merge("side", MAIN)).isInstanceOf(Conflicted.class);
    }

    /** By the first plan {@code u} would be in conflict; by the second one the source has not changed it. */
    @Test
    void aMergeInBetweenMakesItPlanAgain() {
        meanwhile(() -> {
            other.merge("first", MAIN);
            other.commit(MAIN, put("u", table("theirs"), u));
        });
        Merged merged = (Merged) catalog.merge("side", MAIN);
        assertThat(merged.report().commonAncestor()).isEqualTo(first);
        assertThat(merged.report().keys())
                .singleElement()
                .satisfies(key -> assertThat(key.key()).isEqualTo(TestCatalog.key("x")));
        assertThat(catalog.content(MAIN, "u")).isEqualTo(table("theirs").withId(u));
    }

    @Test
    void theSameMergeInBetweenLeavesNothingToDo() {
        meanwhile(() -> other.merge("side", MAIN));
        MergeOutcome outcome = catalog.merge("side", MAIN);
        assertThat(outcome).isInstanceOf(NothingToDo.class);
        assertThat(catalog.log(MAIN)).hasSize(2);
    }

    @Test
    void aContentThatArrivesUnderAnotherKeyMeanwhileIsNotAddedAgain() {
        CommitId added = catalog.head("side");
        meanwhile(() -> {
            other.transplant(MAIN, added);
            other.commit(MAIN, delete("x"), put("y", table("x"), other.id(MAIN, "x")));
        });
        Conflicted conflicted = (Conflicted) catalog.merge("side", MAIN);
        assertThat(conflicted.conflicts()).singleElement().satisfies(conflict -> {
            assertThat(conflict.conflictType()).isEqualTo(ConflictType.KEY_EXISTS);
            assertThat(conflict.key()).isEqualTo(TestCatalog.key("x"));
            assertThat(conflict.message()).contains("'y'");
        });
    }

    /** The branch is set to a commit of the source: nothing that was planned holds there. */
    @Test
    void aBranchThatIsSetElsewhereMakesItPlanAgain() {
        meanwhile(() -> {
            ReferenceRow row = memory.reference(MAIN).orElseThrow();
            Head head = catalog.commit(first).head();
            memory.write(
                    List.of(),
                    List.of(head.number()),
                    new Change.OfReference(MAIN, row, row.movedTo(head, row.published())),
                    List.of());
            other.commit(MAIN, delete("u"));
        });
        Merged merged = (Merged) catalog.merge("side", MAIN);
        assertThat(merged.report().commonAncestor()).isEqualTo(first);
        assertThat(catalog.contents(MAIN).keySet()).containsExactly(TestCatalog.key("x"));
    }
}
