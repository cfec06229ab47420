package org.anabranch.object;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.anabranch.model.CommitId;
import org.anabranch.store.Head;
import org.junit.jupiter.api.Test;

class GraphPositionTest {

    @Test
    void aCommitComesAfterItsJumpAndWhatItReachesFromThere() {
        new GraphPosition(1, 0, 0, 1, 1, 0);
        new GraphPosition(7, 3, 6, 2, 9, 5);
        assertThatIllegalArgumentException().isThrownBy(() -> new GraphPosition(6, 3, 6, 2, 9, 5));
        assertThatIllegalArgumentException().isThrownBy(() -> new GraphPosition(7, 3, -1, 2, 9, 5));
        assertThatIllegalArgumentException().isThrownBy(() -> new GraphPosition(7, 3, 6, 0, 9, 5));
        assertThatIllegalArgumentException().isThrownBy(() -> new GraphPosition(7, 3, 6, 10, 9, 5));
    }

    @Test
    void aMergeIsTheLastMergeOfItsLine() {
        GraphPosition position = new GraphPosition(7, 3, 6, 2, 9, 5);
        Head head = new Head(20, CommitId.NO_ANCESTOR);
        assertThat(commit(position, head).lastMerge()).isEqualTo(5);
        assertThat(commit(position, head, head).lastMerge()).isEqualTo(30);
    }

    private static Commit commit(GraphPosition position, Head... parents) {
        return new Commit(30, CommitId.NO_ANCESTOR, List.of(parents), position, Tree.EMPTY, 0, null);
    }
}
