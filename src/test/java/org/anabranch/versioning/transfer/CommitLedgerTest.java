package org.anabranch.versioning.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.anabranch.model.CommitId;
import org.anabranch.model.CommitMeta;
import org.anabranch.object.ExportedCommit;
import org.anabranch.object.LogicalCommit;
import org.anabranch.store.Instants;
import org.junit.jupiter.api.Test;

/** What a file or a server says of a commit must be what a commit can be. */
class CommitLedgerTest {

    private static final CommitMeta META = new CommitMeta("", "", List.of(""), Instant.EPOCH, List.of(), Map.of());

    private static ExportedCommit commit(long createdAtMicros) {
        LogicalCommit commit =
                new LogicalCommit(List.of(CommitId.NO_ANCESTOR), 1, createdAtMicros, META, new TreeMap<>());
        return new ExportedCommit(1, commit.id(), List.of(0), commit);
    }

    @Test
    void aTimeAtTheEndOfNumbersIsRefused() {
        CommitLedger ledger = new CommitLedger();
        long latest = Instants.micros(CommitLedger.LATEST);

        assertThatThrownBy(() -> ledger.add(commit(Long.MAX_VALUE)))
                .hasMessage("it was made after " + CommitLedger.LATEST);
        assertThatThrownBy(() -> ledger.add(commit(latest + 1))).isInstanceOf(IllegalArgumentException.class);
        assertThat(ledger.size()).isZero();

        ledger.add(commit(latest));
        assertThat(ledger.createdAtMicros(1)).isEqualTo(latest);
    }

    @Test
    void aMergeSourceIsACommit() {
        CommitLedger ledger = new CommitLedger();
        ExportedCommit first = commit(1);
        ledger.add(first);
        LogicalCommit merge = new LogicalCommit(List.of(first.id(), CommitId.NO_ANCESTOR), 2, 2, META, new TreeMap<>());

        assertThatThrownBy(() -> ledger.add(new ExportedCommit(2, merge.id(), List.of(1, 0), merge)))
                .hasMessage("a merge source of it is no commit");
    }
}
