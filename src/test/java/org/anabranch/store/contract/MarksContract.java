package org.anabranch.store.contract;

import static org.anabranch.store.contract.StoreRows.branch;
import static org.anabranch.store.contract.StoreRows.create;
import static org.anabranch.store.contract.StoreRows.delete;
import static org.anabranch.store.contract.StoreRows.id;
import static org.anabranch.store.contract.StoreRows.move;
import static org.anabranch.store.contract.StoreRows.moved;
import static org.anabranch.store.contract.StoreRows.receipt;
import static org.anabranch.store.contract.StoreRows.row;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.LongStream;
import org.anabranch.model.ReferenceKind;
import org.anabranch.store.ChunkAddress;
import org.anabranch.store.CommitLinks;
import org.anabranch.store.CommitRow;
import org.anabranch.store.Condemned;
import org.anabranch.store.Head;
import org.anabranch.store.MissingRowException;
import org.anabranch.store.ReferenceRow;
import org.anabranch.store.WriteOutcome;
import org.anabranch.store.WriteOutcome.AdoptedMissing;
import org.anabranch.store.WriteOutcome.ReceiptTaken;
import org.anabranch.store.WriteOutcome.ReferenceMoved;
import org.junit.jupiter.api.Test;

/** What every store does with the marks of condemned rows, and with the rows. */
abstract class MarksContract extends ContractPart {

    private static final int ROUNDS = 60;

    MarksContract(StoreContract contract) {
        super(contract);
    }

    /** Rows that no reference reaches, as a deleted branch leaves them. */
    private void unreached(CommitRow... rows) {
        long last = rows[rows.length - 1].number();
        ReferenceRow gone = branch("gone-" + last, last, 1_000_000 + last);
        assertThat(store().write(List.of(rows), List.of(), create(gone), List.of()))
                .isEqualTo(WRITTEN);
        assertThat(store().write(List.of(), List.of(), delete(gone), List.of())).isEqualTo(WRITTEN);
    }

    private void condemn(long at, Long... numbers) {
        store().condemn(List.of(numbers), at);
    }

    private List<Long> marked() {
        return store().condemned(0, 100_000).stream().map(Condemned::number).toList();
    }

    private WriteOutcome adopt(String name, long number) {
        return store().write(
                        List.of(),
                        List.of(number),
                        create(branch(name, number, 2_000_000 + name.hashCode())),
                        List.of());
    }

    private boolean isStored(long number) {
        return store().links(number - 1, 1).stream().anyMatch(row -> row.number() == number);
    }

    @Test
    void marksAreListedByNumberAndKept() {
        unreached(row(2), row(3, 2L), row(5, 3L));
        condemn(100, 3L, 5L);
        condemn(200, 2L, 3L);
        reopen();

        assertThat(store().condemned(0, 2)).containsExactly(new Condemned(2, 200), new Condemned(3, 100));
        assertThat(store().condemned(3, 2)).containsExactly(new Condemned(5, 100));
        assertThat(store().condemned(5, 2)).isEmpty();
    }

    @Test
    void whatIsNotStoredIsNotMarked() {
        store().condemn(List.of(7L), 100);
        store().condemn(List.of(), 100);

        assertThat(marked()).isEmpty();
    }

    @Test
    void aCondemnedRowIsReadAsBefore() {
        unreached(row(2));
        condemn(100, 2L);

        assertThat(store().find(List.of(id(2)))).containsEntry(id(2), 2L);
        assertThat(store().fetch(List.of(new ChunkAddress(2, 1))))
                .containsExactly(row(2).chunks().get(1));
    }

    /*
     *   1 - 2 - 3 - 4      all condemned but 1
     *        \
     *         5 - 6
     */
    @Test
    void adoptionTakesTheMarksOfTheCommitAndOfItsAncestors() {
        unreached(row(1), row(2, 1L), row(3, 2L), row(4, 3L));
        store().write(List.of(), List.of(2L), create(branch("b", 2, 9)), List.of());
        ReferenceRow b = branch("b", 2, 9);
        ReferenceRow next = moved(b, 6);
        store().write(List.of(row(5, 2L), row(6, 5L)), List.of(), move(b, next), List.of());
        store().write(List.of(), List.of(), delete(next), List.of());
        condemn(100, 2L, 3L, 4L, 5L, 6L);

        assertThat(adopt("again", 3)).isEqualTo(WRITTEN);

        assertThat(marked()).containsExactly(4L, 5L, 6L);
    }

    @Test
    void aMergeTakesTheMarksOfAllParents() {
        unreached(row(1), row(2, 1L), row(3, 1L), row(4, 2L, 3L));
        condemn(100, 1L, 2L, 3L, 4L);

        assertThat(adopt("again", 4)).isEqualTo(WRITTEN);

        assertThat(marked()).isEmpty();
    }

    @Test
    void aMoveTakesTheMarkOfTheHeadItFollows() {
        ReferenceRow main = branch("main", 2, 9);
        store().write(List.of(row(1), row(2, 1L)), List.of(), create(main), List.of());
        condemn(100, 1L, 2L);

        assertThat(store().write(List.of(row(3, 2L)), List.of(), move(main, moved(main, 3)), List.of()))
                .isEqualTo(WRITTEN);

        assertThat(marked()).isEmpty();
    }

    @Test
    void aRefusedWriteTakesNoMark() {
        unreached(row(2));
        ReferenceRow main = branch("main", 0, 9);
        store().write(List.of(), List.of(), create(main), List.of(receipt("taken", 0, 100)));
        condemn(100, 2L);
        ReferenceRow seen = moved(main, 0);

        assertThat(store().write(List.of(), List.of(2L), move(seen, moved(seen, 2)), List.of()))
                .isEqualTo(new ReferenceMoved(main));
        assertThat(store().write(List.of(), List.of(2L), move(main, moved(main, 2)), List.of(receipt("taken", 2, 100))))
                .isInstanceOf(ReceiptTaken.class);

        assertThat(marked()).containsExactly(2L);
    }

    @Test
    void sparingTakesTheMarksOfAncestorsToo() {
        unreached(row(1), row(2, 1L), row(3, 2L));
        unreached(row(10), row(11, 10L));
        condemn(100, 1L, 2L, 3L, 10L, 11L);

        store().spare(List.of(2L, 10L, 77L));
        store().spare(List.of());

        assertThat(marked()).containsExactly(3L, 11L);
    }

    @Test
    void aDeletedRowIsGone() {
        unreached(row(2), row(3, 2L));
        condemn(100, 2L, 3L);

        assertThat(store().delete(List.of(new Condemned(3, 100)))).isEqualTo(1);
        reopen();

        assertThat(store().links(0, 10)).extracting(CommitLinks::number).containsExactly(2L);
        assertThat(store().find(List.of(id(2), id(3)))).containsOnlyKeys(id(2));
        assertThatThrownBy(() -> store().fetch(List.of(new ChunkAddress(3, 0), new ChunkAddress(3, 1))))
                .isInstanceOfSatisfying(
                        MissingRowException.class,
                        missing -> assertThat(missing.missing()).hasSize(2));
        assertThat(store().fetch(List.of(new ChunkAddress(2, 0), new ChunkAddress(2, 1))))
                .hasSize(2);
        assertThat(marked()).containsExactly(2L);
        assertThat(store().delete(List.of(new Condemned(3, 100), new Condemned(2, 100))))
                .isEqualTo(1);
        assertThat(store().links(0, 10)).isEmpty();
    }

    @Test
    void aRowWithAnotherMarkOrNoneStays() {
        unreached(row(2));
        unreached(row(3));
        condemn(100, 2L, 3L);
        store().spare(List.of(2L, 3L));
        condemn(200, 3L);

        assertThat(store().delete(List.of(new Condemned(2, 100), new Condemned(3, 100))))
                .isZero();
        assertThat(isStored(2)).isTrue();
        assertThat(marked()).containsExactly(3L);
    }

    @Test
    void aDeletedCommitIsNotAdopted() {
        unreached(row(2), row(3, 2L));
        condemn(100, 2L, 3L);
        store().delete(List.of(new Condemned(3, 100)));

        assertThat(adopt("again", 3)).isEqualTo(new AdoptedMissing(Set.of(3L)));
        assertThat(store().reference("again")).isEmpty();
        assertThat(adopt("older", 2)).isEqualTo(WRITTEN);
    }

    @Test
    void ofACommitStagedTwiceTheOtherRowIsFound() {
        unreached(row(5));
        CommitRow twin = new CommitRow(6, id(5), List.of(0L), row(5).chunks());
        store().write(
                        List.of(twin),
                        List.of(),
                        create(new ReferenceRow("twin", ReferenceKind.BRANCH, new Head(6, id(5)), 9, 1, 1, List.of())),
                        List.of());
        condemn(100, 5L);

        assertThat(store().delete(List.of(new Condemned(5, 100)))).isEqualTo(1);

        assertThat(store().find(List.of(id(5)))).containsEntry(id(5), 6L);
    }

    @Test
    void manyRowsAreCondemnedAndDeletedInOneCall() {
        int count = 3_000;
        CommitRow[] rows = LongStream.rangeClosed(1, count)
                .mapToObj(number -> row(number, number - 1))
                .toArray(CommitRow[]::new);
        unreached(rows);
        store().condemn(LongStream.rangeClosed(1, count).boxed().toList(), 100);
        assertThat(adopt("again", 1_000)).isEqualTo(WRITTEN);

        assertThat(store().delete(store().condemned(0, count))).isEqualTo(2_000);

        assertThat(store().links(0, count)).hasSize(1_000);
        assertThat(marked()).isEmpty();
    }

    /** Whoever comes first: the adoption, and everything stays; or the deletion, and the adoption is refused as a whole. */
    @Test
    void ofAnAdoptionAndADeletionAtOnceExactlyOneHappens() throws Exception {
        try (ExecutorService threads = Executors.newFixedThreadPool(2)) {
            for (int round = 1; round <= ROUNDS; round++) {
                long first = 100L * round;
                CommitRow[] rows = LongStream.range(first, first + 20)
                        .mapToObj(number -> row(number, number == first ? 0 : number - 1))
                        .toArray(CommitRow[]::new);
                unreached(rows);
                store().condemn(LongStream.range(first, first + 20).boxed().toList(), 100);
                List<Condemned> marks = new ArrayList<>(store().condemned(first - 1, 20));
                String name = "again " + round;
                long head = first + 10 + round % 10;
                CyclicBarrier start = new CyclicBarrier(2);
                List<Callable<Object>> both = List.of(
                        () -> {
                            start.await();
                            return adopt(name, head);
                        },
                        () -> {
                            start.await();
                            // Children before parents, in two calls.
                            store().delete(marks.reversed().subList(0, 5));
                            return store().delete(marks.reversed().subList(5, 20));
                        });
                List<Future<Object>> ends = threads.invokeAll(both);

                Object adopted = ends.get(0).get();
                ends.get(1).get();
                long left = store().links(first - 1, 20).stream()
                        .filter(row -> row.number() < first + 20)
                        .count();
                if (adopted.equals(WRITTEN)) {
                    assertThat(left).as("round %s", round).isEqualTo(head - first + 1);
                } else {
                    assertThat(adopted).isEqualTo(new AdoptedMissing(Set.of(head)));
                    assertThat(left).as("round %s", round).isZero();
                }
                assertThat(store().reference(name).isPresent()).isEqualTo(adopted.equals(WRITTEN));
            }
        }
        assertThat(marked()).isEmpty();
    }
}
