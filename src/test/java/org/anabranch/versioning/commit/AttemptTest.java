package org.anabranch.versioning.commit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.anabranch.model.ReferenceKind;
import org.anabranch.object.Commit;
import org.anabranch.store.Head;
import org.anabranch.store.PublishedHead;
import org.anabranch.store.ReferenceRow;
import org.anabranch.testing.CommitDag;
import org.anabranch.versioning.commit.Attempt.Fate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a reference tells of an attempt whose outcome is unknown. */
class AttemptTest {

    private final CommitDag dag = new CommitDag();

    private static ReferenceRow branch(Commit head, long incarnation) {
        return new ReferenceRow("main", ReferenceKind.BRANCH, head.head(), incarnation, 7, 0, List.of());
    }

    private Attempt attempt(ReferenceRow seen) {
        Commit head = dag.commit(dag.commits(List.of(seen.head().number())).get(0));
        return new Attempt(seen, List.of(), List.of(), 0, head);
    }

    private Fate fate(Attempt attempt, ReferenceRow row) {
        return attempt.fate(row, new Stage(dag, new byte[16], () -> 0));
    }

    /** @param remembered how many earlier heads stay with the branch */
    private static ReferenceRow moved(ReferenceRow row, Head to, int remembered) {
        List<PublishedHead> published = new ArrayList<>(List.of(new PublishedHead(row.head(), 0)));
        published.addAll(row.published());
        return row.movedTo(to, published.subList(0, Math.min(remembered, published.size())));
    }

    @Test
    void aBranchThatDidNotMoveLeavesItOpen() {
        ReferenceRow seen = branch(dag.commit(), 1);
        assertThat(fate(attempt(seen), seen)).isEqualTo(Fate.OPEN);
    }

    @Test
    void aBranchThatIsGoneOrAnotherOneTellsNothing() {
        ReferenceRow seen = branch(dag.commit(), 1);
        Attempt attempt = attempt(seen);
        assertThat(attempt.fate(null, new Stage(dag, new byte[16], () -> 0))).isEqualTo(Fate.FORGOTTEN);
        assertThat(fate(attempt, branch(dag.commit(), 2))).isEqualTo(Fate.FORGOTTEN);
        assertThat(fate(attempt, branch(attempt.head(), 2))).isEqualTo(Fate.PUBLISHED);
    }

    /** Others commit to the branch and assign it, before or after the attempt arrives, if it does. */
    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void aFateIsNeverWrongAndKnownForAsLongAsTheBranchRemembers(long seed) {
        Random random = new Random(seed);
        for (int round = 0; round < 500; round++) {
            ReferenceRow seen = branch(dag.line(Commit.NO_ANCESTOR, 1 + random.nextInt(3)), 1);
            List<Commit> others = new ArrayList<>(List.of(dag.commit(), dag.commit()));
            Attempt attempt = attempt(seen);
            int remembered = random.nextInt(5);
            int moves = random.nextInt(7);
            boolean isPublished = moves > 0 && random.nextBoolean();
            ReferenceRow row = seen;
            for (int move = 0; move < moves; move++) {
                if (move == 0 && isPublished) {
                    row = moved(row, attempt.head().head(), remembered);
                } else {
                    Commit at = random.nextBoolean()
                            ? dag.commits(List.of(row.head().number())).get(0)
                            : others.get(random.nextInt(others.size()));
                    others.add(dag.commit(at));
                    row = moved(row, others.getLast().head(), remembered);
                }
            }
            Fate truth = moves == 0 ? Fate.OPEN : isPublished ? Fate.PUBLISHED : Fate.LOST;
            boolean isRemembered = moves - 1 <= remembered;
            assertThat(fate(attempt, row)).isIn(truth, isRemembered ? truth : Fate.FORGOTTEN);
        }
    }
}
