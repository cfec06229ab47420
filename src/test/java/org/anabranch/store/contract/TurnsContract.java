package org.anabranch.store.contract;

import static org.anabranch.store.contract.StoreRows.branch;
import static org.anabranch.store.contract.StoreRows.move;
import static org.anabranch.store.contract.StoreRows.moved;
import static org.anabranch.store.contract.StoreRows.receipt;
import static org.anabranch.store.contract.StoreRows.row;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.anabranch.store.ReferenceRow;
import org.anabranch.store.Turn;
import org.anabranch.store.WriteOutcome;
import org.anabranch.store.WriteOutcome.AdoptedMissing;
import org.anabranch.store.WriteOutcome.ReferenceMoved;
import org.junit.jupiter.api.Test;

/** What turns are in every store. */
abstract class TurnsContract extends ContractPart {

    TurnsContract(StoreContract contract) {
        super(contract);
    }

    @Test
    void aTurnShowsTheReferenceAndMovesIt() {
        ReferenceRow main = existing(branch("main", 0, 9));
        ReferenceRow next = moved(main, 1);
        try (Turn turn = store().turn("main")) {
            assertThat(turn.reference()).contains(main);
            assertThat(turn.write(List.of(row(1)), List.of(), move(main, next), List.of(receipt("s", 1, 1_000))))
                    .isEqualTo(WRITTEN);
        }
        assertThat(store().reference("main")).contains(next);
        assertThat(store().receipts("s")).hasSize(1);
    }

    @Test
    void aTurnAtNothingIsEmptyAndNothingChangesWithoutAWrite() {
        ReferenceRow main = existing(branch("main", 0, 9));
        try (Turn nobody = store().turn("nothing");
                Turn unused = store().turn("main")) {
            assertThat(nobody.reference()).isEmpty();
            assertThat(unused.reference()).contains(main);
        }
        assertThat(write(move(main, moved(main, 1)), row(1))).isEqualTo(WRITTEN);
    }

    @Test
    void whatIsWrongIsToldAsInAnyWrite() {
        ReferenceRow main = existing(branch("main", 0, 9));
        ReferenceRow now = moved(main, 1);
        write(move(main, now), row(1));
        try (Turn turn = store().turn("main")) {
            assertThat(turn.write(List.of(row(2)), List.of(), move(main, moved(main, 2)), List.of()))
                    .isEqualTo(new ReferenceMoved(now));
        }
        try (Turn turn = store().turn("main")) {
            assertThat(turn.write(List.of(row(2)), List.of(7L), move(now, moved(now, 2)), List.of()))
                    .isEqualTo(new AdoptedMissing(Set.of(7L)));
        }
        assertThat(store().reference("main")).contains(now);
    }

    /** Whoever is let in first: of two writes on one state, one is refused. */
    @Test
    void whoWritesBesideATurnNeverWritesAsWell() throws Exception {
        ReferenceRow main = existing(branch("main", 0, 9));
        try (ExecutorService threads = Executors.newSingleThreadExecutor()) {
            Future<WriteOutcome> beside;
            WriteOutcome inTurn;
            try (Turn turn = store().turn("main")) {
                beside = threads.submit(() -> write(move(main, moved(main, 1)), row(1)));
                inTurn = turn.write(List.of(row(2)), List.of(), move(main, moved(main, 2)), List.of());
            }
            assertThat(List.of(inTurn, beside.get()))
                    .filteredOn(WRITTEN::equals)
                    .hasSize(1);
        }
        assertThat(store().reference("main").orElseThrow().version()).isEqualTo(main.version() + 1);
    }
}
