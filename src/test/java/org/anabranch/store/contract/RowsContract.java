package org.anabranch.store.contract;

import static org.anabranch.store.contract.StoreRows.branch;
import static org.anabranch.store.contract.StoreRows.create;
import static org.anabranch.store.contract.StoreRows.id;
import static org.anabranch.store.contract.StoreRows.move;
import static org.anabranch.store.contract.StoreRows.moved;
import static org.anabranch.store.contract.StoreRows.row;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import org.anabranch.model.CommitId;
import org.anabranch.model.ReferenceKind;
import org.anabranch.store.ChunkAddress;
import org.anabranch.store.CommitLinks;
import org.anabranch.store.CommitRow;
import org.anabranch.store.Head;
import org.anabranch.store.MissingRowException;
import org.anabranch.store.ReferenceRow;
import org.anabranch.store.WriteOutcome.ReferenceMoved;
import org.junit.jupiter.api.Test;

/** What every store does with commit rows. */
abstract class RowsContract extends ContractPart {

    RowsContract(StoreContract contract) {
        super(contract);
    }

    @Test
    void chunksComeBackInTheOrderAskedFor() {
        existing(branch("main", 2, 9), row(1), row(2, 1L));

        List<byte[]> fetched =
                store().fetch(List.of(new ChunkAddress(2, 1), new ChunkAddress(1, 0), new ChunkAddress(2, 0)));

        assertThat(fetched)
                .containsExactly(
                        row(2).chunks().get(1),
                        row(1).chunks().get(0),
                        row(2).chunks().get(0));
    }

    @Test
    void nothingIsAskedForAndNothingComes() {
        assertThat(store().fetch(List.of())).isEmpty();
        assertThat(store().find(List.of())).isEmpty();
    }

    @Test
    void emptyAndLargeChunksAreKept() {
        byte[] large = new byte[3 << 20];
        new Random(1).nextBytes(large);
        CommitRow row = new CommitRow(5, id(5), List.of(0L), List.of(new byte[0], large));
        existing(branch("main", 5, 9), row);

        assertThat(store().fetch(List.of(new ChunkAddress(5, 0), new ChunkAddress(5, 1))))
                .containsExactly(new byte[0], large);
    }

    @Test
    void manyRowsAreWrittenFoundAndFetchedInOneCall() {
        int count = 5000;
        List<CommitRow> rows = LongStream.rangeClosed(1, count)
                .mapToObj(number -> row(number, number - 1))
                .toList();
        assertThat(store().write(rows, List.of(), create(branch("main", count, 9_000)), List.of()))
                .isEqualTo(WRITTEN);
        List<CommitRow> shuffled = new ArrayList<>(rows);
        Collections.shuffle(shuffled, new Random(1));

        assertThat(store().find(shuffled.stream().map(CommitRow::id).toList())).hasSize(count);
        assertThat(store().fetch(shuffled.stream()
                        .map(row -> new ChunkAddress(row.number(), 0))
                        .toList()))
                .containsExactlyElementsOf(
                        shuffled.stream().map(row -> row.chunks().get(0)).toList());
    }

    @Test
    void missingChunksAreNamedAllTogetherInTheOrderAskedFor() {
        existing(branch("main", 1, 9), row(1));
        ChunkAddress unknownRow = new ChunkAddress(77, 0);
        ChunkAddress unknownChunk = new ChunkAddress(1, 2);

        assertThatThrownBy(() -> store().fetch(List.of(unknownRow, new ChunkAddress(1, 0), unknownChunk)))
                .isInstanceOfSatisfying(
                        MissingRowException.class,
                        missing -> assertThat(missing.missing()).containsExactly(unknownRow, unknownChunk));
    }

    @Test
    void unknownIdsAreAbsentFromWhatIsFound() {
        existing(branch("main", 2, 9), row(1), row(2, 1L));

        assertThat(store().find(List.of(id(2), id(3), CommitId.NO_ANCESTOR, id(1))))
                .isEqualTo(Map.of(id(1), 1L, id(2), 2L));
    }

    @Test
    void rowsAreListedByNumberWithTheirLinks() {
        existing(branch("b", 5, 9), row(2), row(3, 2L), row(5, 3L, 2L));

        assertThat(store().links(0, 2))
                .containsExactly(new CommitLinks(2, id(2), List.of(0L)), new CommitLinks(3, id(3), List.of(2L)));
        assertThat(store().links(3, 2)).containsExactly(new CommitLinks(5, id(5), List.of(3L, 2L)));
        assertThat(store().links(5, 1)).isEmpty();
    }

    @Test
    void aRepeatedRowIsHarmless() {
        ReferenceRow main = existing(branch("main", 1, 9), row(1));

        assertThat(write(move(main, moved(main, 2)), row(1), row(2, 1L))).isEqualTo(WRITTEN);

        assertThat(store().fetch(List.of(new ChunkAddress(1, 0), new ChunkAddress(2, 0))))
                .containsExactly(row(1).chunks().get(0), row(2).chunks().get(0));
    }

    @Test
    void aRowMayBeWrittenAgainAfterItsWriteWasRefused() {
        ReferenceRow main = existing(branch("main", 1, 9), row(1));
        assertThat(write(move(moved(main, 1), moved(moved(main, 1), 2)), row(2, 1L)))
                .isEqualTo(new ReferenceMoved(main));

        assertThat(write(move(main, moved(main, 2)), row(2, 1L))).isEqualTo(WRITTEN);
    }

    @Test
    void aCommitStagedTwiceIsFoundUnderItsLowestNumber() {
        existing(branch("one", 5, 8), row(5));
        CommitRow again = new CommitRow(6, id(5), List.of(0L), row(5).chunks());
        ReferenceRow other =
                new ReferenceRow("other", ReferenceKind.BRANCH, new Head(6, id(5)), 9, 1, 1_000_000, List.of());

        assertThat(write(create(other), again)).isEqualTo(WRITTEN);

        assertThat(store().find(List.of(id(5)))).isEqualTo(Map.of(id(5), 5L));
        assertThat(store().fetch(List.of(new ChunkAddress(6, 0)))).hasSize(1);
    }

    @Test
    void anotherCommitUnderATakenNumberIsRefused() {
        ReferenceRow main = existing(branch("main", 1, 9), row(1));
        CommitRow other = new CommitRow(1, id(2), List.of(0L), List.of(new byte[1]));

        assertThatThrownBy(() -> write(move(main, moved(main, 1)), other))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageMatching("(Number 1|A number of the rows \\[1]) is taken by another commit");
        assertThat(store().reference("main")).contains(main);
    }
}
