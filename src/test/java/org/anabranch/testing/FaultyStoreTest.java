package org.anabranch.testing;

import static org.anabranch.store.contract.StoreRows.branch;
import static org.anabranch.store.contract.StoreRows.create;
import static org.anabranch.store.contract.StoreRows.move;
import static org.anabranch.store.contract.StoreRows.moved;
import static org.anabranch.store.contract.StoreRows.row;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.anabranch.store.OutcomeUnknownException;
import org.anabranch.store.ReferenceRow;
import org.anabranch.store.StoreUnavailableException;
import org.anabranch.store.WriteOutcome;
import org.anabranch.store.WriteOutcome.ReferenceMoved;
import org.anabranch.store.WriteOutcome.Written;
import org.anabranch.store.memory.MemoryStore;
import org.anabranch.testing.FaultyStore.Fault;
import org.junit.jupiter.api.Test;

class FaultyStoreTest {

    private final MemoryStore plain = new MemoryStore();
    private final FaultyStore faulty = new FaultyStore(plain);
    private final ReferenceRow main = branch("main", 0, 9);
    private final ReferenceRow next = moved(main, 1);

    @Test
    void onlyTheChosenWriteFails() {
        faulty.at(2, Fault.BEFORE);

        assertThat(createMain()).isEqualTo(new Written());
        assertThatThrownBy(this::moveMain).isInstanceOf(StoreUnavailableException.class);
        assertThat(plain.reference("main")).contains(main);
        assertThat(moveMain()).isEqualTo(new Written());
        assertThat(faulty.writes()).isEqualTo(3);
    }

    @Test
    void anUnknownOutcomeIsWrittenOrNot() {
        faulty.at(1, Fault.UNKNOWN_NOT_WRITTEN).at(2, Fault.UNKNOWN_WRITTEN);

        assertThatThrownBy(this::createMain).isInstanceOf(OutcomeUnknownException.class);
        assertThat(plain.reference("main")).isEmpty();
        assertThatThrownBy(this::createMain).isInstanceOf(OutcomeUnknownException.class);
        assertThat(plain.reference("main")).contains(main);
    }

    @Test
    void aLateWriteComesBeforeTheNextOne() {
        faulty.at(2, Fault.UNKNOWN_WRITTEN_LATE);

        createMain();
        assertThatThrownBy(this::moveMain).isInstanceOf(OutcomeUnknownException.class);
        assertThat(plain.reference("main")).contains(main);
        assertThat(moveMain()).isEqualTo(new ReferenceMoved(next));
    }

    @Test
    void aRefusedWriteIsSaidToBeRefused() {
        faulty.at(2, Fault.UNKNOWN_WRITTEN);

        createMain();
        assertThat(createMain()).isEqualTo(new ReferenceMoved(main));
    }

    @Test
    void somebodyElseComesFirst() {
        faulty.foreignFirst(2, () -> plain.write(List.of(row(1)), List.of(), move(main, next), List.of()));

        createMain();

        assertThat(moveMain()).isEqualTo(new ReferenceMoved(next));
    }

    private WriteOutcome createMain() {
        return faulty.write(List.of(), List.of(), create(main), List.of());
    }

    private WriteOutcome moveMain() {
        return faulty.write(List.of(row(1)), List.of(), move(main, next), List.of());
    }
}
