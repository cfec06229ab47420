package org.anabranch.versioning.commit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.anabranch.model.ReferenceKind;
import org.anabranch.store.Head;
import org.anabranch.store.ReferenceRow;
import org.junit.jupiter.api.Test;

class LastMovesTest {

    private final LastMoves moves = new LastMoves();

    private static ReferenceRow row(long incarnation, long version) {
        return new ReferenceRow("main", ReferenceKind.BRANCH, Head.NO_ANCESTOR, incarnation, version, 0, List.of());
    }

    @Test
    void ofAllThatIsKnownTheNewestCounts() {
        assertThat(moves.newest(List.of(row(9, 2), row(9, 4), row(9, 3)))).contains(row(9, 4));
        moves.moved(row(9, 5));
        assertThat(moves.newest(List.of(row(9, 2), row(9, 4)))).contains(row(9, 5));
        assertThat(moves.newest(List.of(row(9, 2), row(9, 6)))).contains(row(9, 6));
    }

    @Test
    void whichOfTwoBranchesOfANameIsNewerNobodyKnows() {
        assertThat(moves.newest(List.of(row(9, 2), row(8, 4)))).isEmpty();
        moves.moved(row(7, 5));
        assertThat(moves.newest(List.of(row(9, 2)))).isEmpty();
        moves.moved(row(9, 3));
        assertThat(moves.newest(List.of(row(9, 2)))).contains(row(9, 3));
    }
}
