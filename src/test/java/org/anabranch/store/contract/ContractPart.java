package org.anabranch.store.contract;

import static org.anabranch.store.contract.StoreRows.create;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.anabranch.store.Change;
import org.anabranch.store.CommitRow;
import org.anabranch.store.Receipt;
import org.anabranch.store.ReferenceRow;
import org.anabranch.store.RepositoryRow;
import org.anabranch.store.Store;
import org.anabranch.store.WriteOutcome;
import org.anabranch.store.WriteOutcome.Written;

/** A part of {@link StoreContract}, about one thing. */
abstract class ContractPart {

    static final Written WRITTEN = new Written();

    private final StoreContract contract;

    ContractPart(StoreContract contract) {
        this.contract = contract;
    }

    final Store store() {
        return contract.store();
    }

    final void reopen() {
        contract.reopen();
    }

    WriteOutcome write(Change change, CommitRow... rows) {
        return store().write(List.of(rows), List.of(), change, List.of());
    }

    ReferenceRow existing(ReferenceRow reference, CommitRow... rows) {
        assertThat(write(create(reference), rows)).isEqualTo(WRITTEN);
        return reference;
    }

    RepositoryRow existing(RepositoryRow record) {
        assertThat(write(new Change.OfRepository(null, record))).isEqualTo(WRITTEN);
        return record;
    }

    static void assertSame(RepositoryRow actual, RepositoryRow expected) {
        assertThat(actual).usingRecursiveComparison().isEqualTo(expected);
    }

    static void assertSame(List<Receipt> actual, Receipt... expected) {
        assertThat(actual).usingRecursiveComparison().isEqualTo(List.of(expected));
    }
}
