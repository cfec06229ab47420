package org.anabranch.store.contract;

import static org.anabranch.store.contract.StoreRows.repository;
import static org.anabranch.store.contract.StoreRows.row;
import static org.anabranch.store.contract.StoreRows.withConfig;
import static org.assertj.core.api.Assertions.assertThat;

import org.anabranch.store.Change;
import org.anabranch.store.RepositoryRow;
import org.anabranch.store.WriteOutcome;
import org.anabranch.store.WriteOutcome.RepositoryChanged;
import org.junit.jupiter.api.Test;

/** What every store does with the repository record. */
abstract class RepositoryContract extends ContractPart {

    RepositoryContract(StoreContract contract) {
        super(contract);
    }

    @Test
    void thereIsNoneAtFirst() {
        assertThat(store().repository()).isEmpty();
    }

    @Test
    void everyFieldComesBack() {
        RepositoryRow record = existing(repository("trunk"));
        assertSame(store().repository().orElseThrow(), record);

        RepositoryRow next = withConfig(withConfig(record, "A", "{\"a\":\"ü\"}"), "B", "{}");
        next = withVersion(next, 2);
        assertThat(write(new Change.OfRepository(record, next))).isEqualTo(WRITTEN);

        assertSame(store().repository().orElseThrow(), next);
    }

    @Test
    void itIsCreatedOnce() {
        RepositoryRow record = existing(repository("main"));

        WriteOutcome outcome = write(new Change.OfRepository(null, repository("other")));

        assertThat(outcome)
                .isInstanceOfSatisfying(RepositoryChanged.class, changed -> assertSame(changed.current(), record));
        assertSame(store().repository().orElseThrow(), record);
    }

    @Test
    void anOldVersionDoesNotReplaceIt() {
        RepositoryRow record = existing(repository("main"));
        RepositoryRow next = withConfig(record, "A", "{}");
        write(new Change.OfRepository(record, next));

        WriteOutcome outcome = write(new Change.OfRepository(record, withConfig(record, "B", "{}")));

        assertThat(outcome)
                .isInstanceOfSatisfying(RepositoryChanged.class, changed -> assertSame(changed.current(), next));
        assertSame(store().repository().orElseThrow(), next);
    }

    @Test
    void whatIsNotThereIsNotReplaced() {
        RepositoryRow record = repository("main");

        assertThat(write(new Change.OfRepository(record, withConfig(record, "A", "{}"))))
                .isEqualTo(new RepositoryChanged(null));
        assertThat(store().repository()).isEmpty();
    }

    private static RepositoryRow withVersion(RepositoryRow row, long version) {
        return new RepositoryRow(
                row.id(),
                row.formatVersion(),
                row.salt(),
                row.defaultBranch(),
                row.createdAtMicros(),
                row.oldestCommitAtMicros(),
                row.configs(),
                version);
    }
}
