package org.anabranch.store.contract;

import static org.anabranch.store.contract.StoreRows.branch;
import static org.anabranch.store.contract.StoreRows.create;
import static org.anabranch.store.contract.StoreRows.id;
import static org.anabranch.store.contract.StoreRows.receipt;
import static org.anabranch.store.contract.StoreRows.repository;
import static org.anabranch.store.contract.StoreRows.row;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.anabranch.store.ChunkAddress;
import org.anabranch.store.Receipt;
import org.anabranch.store.ReferenceRow;
import org.anabranch.store.RepositoryRow;
import org.anabranch.store.Store;
import org.anabranch.store.WriteOutcome;
import org.anabranch.store.WriteOutcome.AdoptedMissing;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/**
 * What every store does. A backend's test is one class that extends this one and says how to make a repository; nothing
 * is skipped for a backend.
 */
public abstract class StoreContract {

    private Supplier<Store> repository;
    private Store store;
    private final List<Store> opened = Collections.synchronizedList(new ArrayList<>());

    /** Makes an empty repository, and gives what opens it; every call opens it anew, after the last one was closed. */
    protected abstract Supplier<Store> newRepository() throws Exception;

    @BeforeEach
    final void openStore() throws Exception {
        repository = newRepository();
        open();
    }

    @AfterEach
    final void closeStores() {
        opened.forEach(Store::close);
    }

    final void open() {
        store = repository.get();
        opened.add(store);
    }

    final void reopen() {
        store.close();
        open();
    }

    @Nested
    class Rows extends RowsContract {
        Rows() {
            super(StoreContract.this);
        }
    }

    @Nested
    class References extends ReferencesContract {
        References() {
            super(StoreContract.this);
        }
    }

    @Nested
    class ConditionalWrite extends ConditionalWriteContract {
        ConditionalWrite() {
            super(StoreContract.this);
        }
    }

    @Nested
    class Repository extends RepositoryContract {
        Repository() {
            super(StoreContract.this);
        }
    }

    @Nested
    class Receipts extends ReceiptsContract {
        Receipts() {
            super(StoreContract.this);
        }
    }

    @Nested
    class Numbers extends ContractPart {
        Numbers() {
            super(StoreContract.this);
        }

        @Test
        void blocksDoNotOverlap() {
            long first = store().numbers(3);
            long second = store().numbers(1);
            long third = store().numbers(1000);

            assertThat(first).isPositive();
            assertThat(second).isGreaterThanOrEqualTo(first + 3);
            assertThat(third).isGreaterThan(second);
        }

        @Test
        void noneIsHandedOutAgainAfterTheStoreWasClosed() {
            long before = store().numbers(10);

            reopen();

            assertThat(store().numbers(1)).isGreaterThanOrEqualTo(before + 10);
        }

        @Test
        void aBlockHasAtLeastOne() {
            assertThatThrownBy(() -> store().numbers(0)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Nested
    class Adopted extends ContractPart {
        Adopted() {
            super(StoreContract.this);
        }

        @Test
        void aStoredCommitIsAdopted() {
            existing(branch("main", 1, 8), row(1));

            assertThat(store().write(List.of(), List.of(1L, 0L), create(branch("etl", 1, 9)), List.of()))
                    .isEqualTo(WRITTEN);
        }

        @Test
        void commitsThatAreNotStoredAreNamedAndNothingChanges() {
            existing(branch("main", 1, 8), row(1));

            WriteOutcome outcome = store().write(
                            List.of(row(2, 1L)),
                            List.of(44L, 1L, 33L),
                            create(branch("etl", 2, 9)),
                            List.of(receipt("scope", 2, 100)));

            assertThat(outcome)
                    .isInstanceOfSatisfying(
                            AdoptedMissing.class,
                            missing -> assertThat(missing.numbers()).containsExactlyInAnyOrder(33L, 44L));
            assertThat(store().reference("etl")).isEmpty();
            assertThat(store().receipts("scope")).isEmpty();
        }
    }

    @Nested
    class Reopening extends ContractPart {
        Reopening() {
            super(StoreContract.this);
        }

        @Test
        void everythingWrittenIsThere() {
            RepositoryRow record = existing(repository("main"));
            ReferenceRow main = branch("main", 1, 9);
            Receipt receipt = receipt("scope", 1, 100);
            store().write(List.of(row(1)), List.of(), create(main), List.of(receipt));

            reopen();

            assertSame(store().repository().orElseThrow(), record);
            assertThat(store().reference("main")).contains(main);
            assertSame(store().receipts("scope"), receipt);
            assertThat(store().find(List.of(id(1)))).isEqualTo(Map.of(id(1), 1L));
            assertThat(store().fetch(List.of(new ChunkAddress(1, 0))))
                    .containsExactly(row(1).chunks().get(0));
        }

        @Test
        void closingTwiceIsHarmless() {
            existing(branch("main", 0, 9));
            store().close();
            store().close();
            open();

            assertThat(store().reference("main")).isPresent();
        }
    }

    @Nested
    class Turns extends TurnsContract {
        Turns() {
            super(StoreContract.this);
        }
    }

    @Nested
    class Marks extends MarksContract {
        Marks() {
            super(StoreContract.this);
        }
    }

    @Nested
    class Concurrency extends ConcurrencyContract {
        Concurrency() {
            super(StoreContract.this);
        }
    }

    /** For the test of a backend: the store under test. */
    protected final Store store() {
        return store;
    }
}
