package org.anabranch.store.memory;

import static org.anabranch.store.contract.StoreRows.branch;
import static org.anabranch.store.contract.StoreRows.create;
import static org.anabranch.store.contract.StoreRows.move;
import static org.anabranch.store.contract.StoreRows.moved;
import static org.anabranch.store.contract.StoreRows.row;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.function.Supplier;
import org.anabranch.store.Change;
import org.anabranch.store.ChunkAddress;
import org.anabranch.store.CommitRow;
import org.anabranch.store.ReferenceRow;
import org.anabranch.store.Store;
import org.anabranch.store.WriteOutcome.Written;
import org.anabranch.store.contract.StoreContract;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class MemoryStoreTest extends StoreContract {

    @Override
    protected Supplier<Store> newRepository() {
        MemoryStore store = new MemoryStore();
        return () -> store;
    }

    @Nested
    class Strictness {

        @Test
        void bytesAreCopiedBothWays() {
            CommitRow row = row(1);
            store().write(List.of(row), List.of(), create(branch("main", 1, 9)), List.of());

            row.chunks().get(0)[0]++;
            store().fetch(List.of(new ChunkAddress(1, 0))).get(0)[0]++;

            assertThat(store().fetch(List.of(new ChunkAddress(1, 0))))
                    .containsExactly(row(1).chunks().get(0));
        }

        @Test
        void anUnknownParentIsRefused() {
            assertThatThrownBy(() ->
                            store().write(List.of(row(2, 1L)), List.of(), create(branch("main", 2, 9)), List.of()))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("Row 2 has the unknown parent 1");
        }

        @Test
        void aChildBeforeItsParentIsRefused() {
            assertThatThrownBy(() -> store().write(
                                    List.of(row(2, 1L), row(1)), List.of(), create(branch("main", 2, 9)), List.of()))
                    .isInstanceOf(IllegalArgumentException.class);
        }

        @Test
        void aHeadThatIsNowhereIsRefused() {
            assertThatThrownBy(() -> store().write(List.of(), List.of(), create(branch("main", 7, 9)), List.of()))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("neither stored nor written");
        }

        @Test
        void anOldHeadMustBeAdopted() {
            store().write(List.of(row(1)), List.of(), create(branch("main", 1, 8)), List.of());

            assertThatThrownBy(() -> store().write(List.of(), List.of(), create(branch("etl", 1, 9)), List.of()))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("must be adopted");
            assertThat(store().write(List.of(), List.of(1L), create(branch("etl", 1, 9)), List.of()))
                    .isEqualTo(new Written());
        }

        @Test
        void anOldParentMustBeAdopted() {
            ReferenceRow etl = branch("etl", 2, 8);
            ReferenceRow main = branch("main", 1, 9);
            store().write(List.of(row(2)), List.of(), create(etl), List.of());
            store().write(List.of(row(1)), List.of(), create(main), List.of());
            Change merge = move(main, moved(main, 3));

            assertThatThrownBy(() -> store().write(List.of(row(3, 1L, 2L)), List.of(), merge, List.of()))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("All stored parents of row 3 but the head of main must be adopted");
            assertThat(store().write(List.of(row(3, 1L, 2L)), List.of(2L), merge, List.of()))
                    .isEqualTo(new Written());
        }
    }
}
