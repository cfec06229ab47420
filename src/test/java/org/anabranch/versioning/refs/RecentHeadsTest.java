package org.anabranch.versioning.refs;

import static org.anabranch.testing.Callers.UNRESTRICTED;
import static org.anabranch.testing.ReferenceCatalog.ref;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
import java.util.List;
import org.anabranch.model.CommitId;
import org.anabranch.model.Consistency;
import org.anabranch.model.RecentHeads;
import org.anabranch.model.RefusedException;
import org.anabranch.testing.ReferenceCatalog;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RecentHeadsTest {

    private final ReferenceCatalog catalog = new ReferenceCatalog();
    private final CommitId one = catalog.commit("main", "a");
    private final CommitId two = catalog.commit("main", "b");

    @AfterEach
    void close() {
        catalog.close();
    }

    @Test
    void aMoveRecordsWhereTheReferenceWas() {
        catalog.branch("dev", CommitId.NO_ANCESTOR);
        assign(CommitId.NO_ANCESTOR, one);
        assign(one, two);
        assign(two, one);
        RecentHeads heads = catalog.recentChanges().read(ref("dev"), 0, UNRESTRICTED);

        assertThat(heads.current().hash()).isEqualTo(one);
        assertThat(previous(heads)).containsExactly(two, one, CommitId.NO_ANCESTOR);
        assertThat(heads.previous().get(2).header()).isNull();
        assertThat(heads.previous())
                .extracting(RecentHeads.RecentHead::consistency)
                .containsOnly(Consistency.COMMIT_CONSISTENT);
        assertThat(heads.line()).isEqualTo(Consistency.NOT_CHECKED);
        assertThat(catalog.recentChanges().read(ref("dev"), 10, UNRESTRICTED).line())
                .isEqualTo(Consistency.COMMIT_CONSISTENT);
    }

    @Test
    void twentyHeadsAreKept() {
        catalog.branch("dev", one);
        for (int i = 0; i < 15; i++) {
            assign(one, two);
            assign(two, one);
        }

        assertThat(catalog.recentChanges().read(ref("dev"), 0, UNRESTRICTED).previous())
                .hasSize(20);
    }

    @Test
    void oldHeadsGoWithTheNextMoveAndNotBefore() {
        catalog.branch("dev", one);
        assign(one, two);
        catalog.tick(Duration.ofSeconds(301));
        assertThat(previous(catalog.recentChanges().read(ref("dev"), 0, UNRESTRICTED)))
                .containsExactly(one);

        assign(two, one);
        assertThat(previous(catalog.recentChanges().read(ref("dev"), 0, UNRESTRICTED)))
                .containsExactly(two);
    }

    @Test
    void hashesAreRefused() {
        assertThatExceptionOfType(RefusedException.class)
                .isThrownBy(() -> catalog.recentChanges().read(ref("main@" + one), 0, UNRESTRICTED))
                .withMessage("Hashes are not allowed when fetching a reference history");
    }

    private static List<CommitId> previous(RecentHeads heads) {
        return heads.previous().stream().map(RecentHeads.RecentHead::hash).toList();
    }

    private void assign(CommitId from, CommitId to) {
        catalog.assign().assign(ref("dev@" + from), null, ref("@" + to), UNRESTRICTED, null);
    }
}
