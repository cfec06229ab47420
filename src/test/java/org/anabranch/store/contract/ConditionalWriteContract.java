package org.anabranch.store.contract;

import static org.anabranch.store.contract.StoreRows.branch;
import static org.anabranch.store.contract.StoreRows.create;
import static org.anabranch.store.contract.StoreRows.delete;
import static org.anabranch.store.contract.StoreRows.move;
import static org.anabranch.store.contract.StoreRows.moved;
import static org.anabranch.store.contract.StoreRows.receipt;
import static org.anabranch.store.contract.StoreRows.repository;
import static org.anabranch.store.contract.StoreRows.row;
import static org.anabranch.store.contract.StoreRows.tag;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.anabranch.store.ReferenceRow;
import org.anabranch.store.WriteOutcome;
import org.anabranch.store.WriteOutcome.ReferenceMoved;
import org.junit.jupiter.api.Test;

/** When every store writes, and when it refuses to. */
abstract class ConditionalWriteContract extends ContractPart {

    ConditionalWriteContract(StoreContract contract) {
        super(contract);
    }

    @Test
    void aReferenceIsCreatedMovedAndDeleted() {
        ReferenceRow main = existing(branch("main", 0, 9));
        ReferenceRow next = moved(main, 1);
        assertThat(write(move(main, next), row(1))).isEqualTo(WRITTEN);
        assertThat(store().reference("main")).contains(next);

        assertThat(write(delete(next))).isEqualTo(WRITTEN);
        assertThat(store().reference("main")).isEmpty();
    }

    @Test
    void aTakenNameIsNotCreatedAgain() {
        ReferenceRow main = existing(branch("main", 0, 8));

        assertThat(write(create(branch("main", 0, 9)))).isEqualTo(new ReferenceMoved(main));
        assertThat(store().reference("main")).contains(main);
    }

    @Test
    void anOldVersionNeitherMovesNorDeletes() {
        ReferenceRow main = existing(branch("main", 0, 9));
        ReferenceRow next = moved(main, 1);
        write(move(main, next), row(1));

        assertThat(write(move(main, moved(main, 2)), row(2))).isEqualTo(new ReferenceMoved(next));
        assertThat(write(delete(main))).isEqualTo(new ReferenceMoved(next));
        assertThat(store().reference("main")).contains(next);
    }

    @Test
    void aDeletedReferenceNeitherMovesNorIsDeletedAgain() {
        ReferenceRow main = existing(branch("main", 0, 9));
        write(delete(main));

        assertThat(write(move(main, moved(main, 1)), row(1))).isEqualTo(new ReferenceMoved(null));
        assertThat(write(delete(main))).isEqualTo(new ReferenceMoved(null));
    }

    @Test
    void aReferenceCreatedAgainAtTheSameHeadIsAnotherOne() {
        ReferenceRow first = existing(tag("v1", 1, 8), row(1));
        write(delete(first));
        ReferenceRow second = tag("v1", 1, 9);
        assertThat(store().write(List.of(), List.of(1L), create(second), List.of()))
                .isEqualTo(WRITTEN);

        assertThat(write(delete(first))).isEqualTo(new ReferenceMoved(second));
        assertThat(write(move(first, moved(first, 2)), row(2))).isEqualTo(new ReferenceMoved(second));
        assertThat(store().reference("v1")).contains(second);
    }

    @Test
    void aRefusedMoveLeavesNothingButRows() {
        existing(repository("main"));
        ReferenceRow main = existing(branch("main", 0, 9));
        ReferenceRow seen = moved(main, 0);

        WriteOutcome outcome = store().write(
                        List.of(row(1)), List.of(), move(seen, moved(seen, 1)), List.of(receipt("scope", 1, 100)));

        assertThat(outcome).isEqualTo(new ReferenceMoved(main));
        assertThat(store().reference("main")).contains(main);
        assertThat(store().receipts("scope")).isEmpty();
        assertSame(store().repository().orElseThrow(), repository("main"));
    }
}
