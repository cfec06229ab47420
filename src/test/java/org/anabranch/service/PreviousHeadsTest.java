package org.anabranch.service;

import static org.anabranch.testing.TestCatalog.MAIN;
import static org.anabranch.testing.TestCatalog.put;
import static org.anabranch.testing.TestCatalog.table;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collection;
import java.util.Map;
import org.anabranch.model.CommitId;
import org.anabranch.object.StoredObjects;
import org.anabranch.store.StoreUnavailableException;
import org.anabranch.testing.ForwardingStore;
import org.anabranch.testing.TestCatalog;
import org.junit.jupiter.api.Test;

class PreviousHeadsTest {

    private final TestCatalog catalog = new TestCatalog();
    private final CommitId first = catalog.commit(MAIN, put("a", table("a")));
    private final CommitId second = catalog.commit(MAIN, put("b", table("b")));

    @Test
    void theHeadBeforeIsTheFirstParent() {
        PreviousHeads heads = new PreviousHeads(catalog.objects());

        assertThat(heads.before(second)).contains(first);
        assertThat(heads.before(first)).contains(CommitId.NO_ANCESTOR);
        assertThat(heads.before(CommitId.NO_ANCESTOR)).isEmpty();
    }

    /** What was committed is done, whatever the store does afterwards. */
    @Test
    void aStoreThatDoesNotAnswerHidesNoWrite() {
        ForwardingStore silent = new ForwardingStore(catalog.store()) {
            @Override
            public Map<CommitId, Long> find(Collection<CommitId> ids) {
                throw new StoreUnavailableException("the store is away", null);
            }
        };

        assertThat(new PreviousHeads(new StoredObjects(silent, 1 << 20)).before(second))
                .isEmpty();
    }
}
