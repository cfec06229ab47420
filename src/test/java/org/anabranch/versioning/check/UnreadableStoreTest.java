package org.anabranch.versioning.check;

import static org.anabranch.testing.TestCatalog.MAIN;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import org.anabranch.store.ChunkAddress;
import org.anabranch.store.CommitRow;
import org.anabranch.store.Store;
import org.anabranch.store.StoreUnavailableException;
import org.anabranch.testing.AlteredStore;
import org.anabranch.testing.ForwardingStore;
import org.anabranch.testing.RandomHistory;
import org.anabranch.testing.TestCatalog;
import org.junit.jupiter.api.Test;

/** What could not be read is not taken for damage. */
class UnreadableStoreTest {

    /** Its n-th reading of chunks fails. */
    private static final class FailingOnce extends ForwardingStore {

        private int left;

        private FailingOnce(Store store, int read) {
            super(store);
            this.left = read;
        }

        @Override
        public List<byte[]> fetch(List<ChunkAddress> chunks) {
            if (--left == 0) {
                throw new StoreUnavailableException("Planned", null);
            }
            return super.fetch(chunks);
        }
    }

    /** A damaged header makes the check read its block row by row, so there are many readings. */
    @Test
    void whicheverReadingFailsEndsTheCheck() {
        try (TestCatalog catalog = new TestCatalog()) {
            RandomHistory history = new RandomHistory(catalog, new Random(7));
            history.fill(MAIN, 200);
            catalog.branch("side", MAIN);
            history.grow(MAIN, "side", 40);
            AlteredStore altered = new AlteredStore(catalog.store());
            CommitRow row = altered.row(catalog.log(MAIN).get(20).number());
            byte[] chunk = row.chunks().get(0).clone();
            chunk[chunk.length - 1] ^= 1;
            altered.alter(new CommitRow(row.number(), row.id(), row.parents(), List.of(chunk)));
            List<Finding> damage = RepositoryCheck.full(altered).findings();
            assertThat(damage).isNotEmpty();

            int readings = 0;
            boolean failed = true;
            while (failed) {
                FailingOnce failing = new FailingOnce(altered, ++readings);
                try {
                    assertThat(RepositoryCheck.full(failing).findings()).isEqualTo(damage);
                    assertThat(failing.left)
                            .as("the check went on after reading %d failed", readings)
                            .isPositive();
                    failed = false;
                } catch (StoreUnavailableException planned) {
                    assertThat(planned).hasMessage("Planned");
                }
            }
            assertThat(readings).isGreaterThan(20);
        }
    }
}
