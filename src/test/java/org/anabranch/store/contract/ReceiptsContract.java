package org.anabranch.store.contract;

import static org.anabranch.store.contract.StoreRows.branch;
import static org.anabranch.store.contract.StoreRows.create;
import static org.anabranch.store.contract.StoreRows.move;
import static org.anabranch.store.contract.StoreRows.moved;
import static org.anabranch.store.contract.StoreRows.receipt;
import static org.anabranch.store.contract.StoreRows.row;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.OptionalLong;
import org.anabranch.store.Change;
import org.anabranch.store.Receipt;
import org.anabranch.store.ReferenceRow;
import org.anabranch.store.WriteOutcome;
import org.anabranch.store.WriteOutcome.ReceiptTaken;
import org.anabranch.store.WriteOutcome.ReferenceMoved;
import org.junit.jupiter.api.Test;

/** What every store does with receipts. */
abstract class ReceiptsContract extends ContractPart {

    ReceiptsContract(StoreContract contract) {
        super(contract);
    }

    @Test
    void aReceiptIsKeptWithItsWrite() {
        Receipt receipt = receipt("caller main key", 1, 100);
        store().write(List.of(row(1)), List.of(), create(branch("main", 1, 9)), List.of(receipt));

        assertSame(store().receipts("caller main key"), receipt);
        assertThat(store().receipts("caller main other")).isEmpty();
    }

    @Test
    void receiptsAreListedInOrderOfTheirScopesBytes() {
        Receipt upper = receipt("B", 0, 100);
        Receipt lower = receipt("a", 0, 200);
        Receipt accented = receipt("\u00e4", 0, 300);
        store().write(List.of(), List.of(), create(branch("main", 0, 9)), List.of(accented, upper, lower));

        assertSame(store().receiptsAfter("", 2), upper, lower);
        assertSame(store().receiptsAfter("a", 2), accented);
        assertThat(store().receiptsAfter("\u00e4", 1)).isEmpty();
    }

    @Test
    void aTakenScopeRefusesTheWholeWrite() {
        Receipt first = receipt("taken", 0, 100);
        ReferenceRow main = branch("main", 0, 9);
        store().write(List.of(), List.of(), create(main), List.of(first));

        WriteOutcome outcome = store().write(
                        List.of(row(1)),
                        List.of(),
                        move(main, moved(main, 1)),
                        List.of(receipt("free", 1, 200), receipt("taken", 1, 200)));

        assertThat(outcome)
                .isInstanceOfSatisfying(ReceiptTaken.class, taken -> assertSame(List.of(taken.existing()), first));
        assertThat(store().reference("main")).contains(main);
        assertThat(store().receipts("free")).isEmpty();
        assertSame(store().receipts("taken"), first);
    }

    @Test
    void aTakenScopeIsSaidBeforeAMovedReferenceAndThatBeforeMissingCommits() {
        ReferenceRow main = branch("main", 0, 9);
        store().write(List.of(), List.of(), create(main), List.of(receipt("taken", 0, 100)));
        Change stale = create(branch("main", 0, 10));

        assertThat(store().write(List.of(), List.of(55L), stale, List.of(receipt("taken", 0, 100))))
                .isInstanceOf(ReceiptTaken.class);
        assertThat(store().write(List.of(), List.of(55L), stale, List.of())).isInstanceOf(ReferenceMoved.class);
    }

    @Test
    void oneIsForgottenUnlessAnotherHasItsPlace() {
        Receipt first = receipt("scope", 0, 100);
        Receipt other = receipt("other scope", 0, 100);
        store().write(List.of(), List.of(), create(branch("main", 0, 9)), List.of(first, other));

        store().forgetReceipt(first);
        assertThat(store().receipts("scope")).isEmpty();
        Receipt second = new Receipt("scope", first.requestDigest(), first.head(), new byte[] {77}, 100);
        store().write(List.of(), List.of(), create(branch("dev", 0, 10)), List.of(second));
        store().forgetReceipt(first);

        assertSame(store().receipts("scope"), second);
        assertSame(store().receipts("other scope"), other);
    }

    /** On the machines that the tests run on the store's clock is right. */
    @Test
    void aStoreOfSeveralProcessesHasAClockThatGoesOn() {
        OptionalLong before = store().clockMicros();
        OptionalLong after = store().clockMicros();

        assertThat(after.isPresent()).isEqualTo(before.isPresent());
        assertThat(after.orElse(0)).isGreaterThanOrEqualTo(before.orElse(0));
        before.ifPresent(micros -> assertThat(Instant.EPOCH.plus(micros, ChronoUnit.MICROS))
                .isCloseTo(Instant.now(), within(10, ChronoUnit.MINUTES)));
    }

    @Test
    void expiredOnesAreForgotten() {
        store().write(
                        List.of(),
                        List.of(),
                        create(branch("main", 0, 9)),
                        List.of(receipt("old", 0, 99), receipt("young", 0, 100)));

        store().forgetReceipts(100);

        assertThat(store().receipts("old")).isEmpty();
        assertThat(store().receipts("young")).hasSize(1);
    }
}
