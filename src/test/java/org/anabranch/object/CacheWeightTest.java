package org.anabranch.object;

import static org.anabranch.testing.TestCatalog.MAIN;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.lang.ref.Reference;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.anabranch.index.KeyIndex;
import org.anabranch.index.KeyRange;
import org.anabranch.model.ContentKey;
import org.anabranch.model.IcebergTable;
import org.anabranch.model.Operation;
import org.anabranch.store.memory.MemoryStore;
import org.anabranch.testing.TestCatalog;
import org.junit.jupiter.api.Test;

/** What the cache believes that it holds is close to what it takes of the heap. */
class CacheWeightTest {

    private static final int COMMITS = 40;
    private static final int TABLES_PER_COMMIT = 1_000;

    private static long heapBytes() {
        for (int i = 0; i < 3; i++) {
            System.gc();
        }
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    @Test
    void theWeightIsNearTheHeap() {
        MemoryStore store = new MemoryStore();
        TestCatalog catalog = new TestCatalog(store);
        for (int commit = 0; commit < COMMITS; commit++) {
            List<Operation> operations = new ArrayList<>();
            for (int i = 0; i < TABLES_PER_COMMIT; i++) {
                String name = "table-" + (i * COMMITS + commit);
                operations.add(new Operation.Put(
                        ContentKey.of("namespace-" + i % 7, name),
                        new IcebergTable(null, "s3://lake/warehouse/" + name + "/metadata/v1.json", 1, 1, 1, 1)));
            }
            if (commit == 0) {
                for (int i = 0; i < 7; i++) {
                    operations.add(new Operation.Put(ContentKey.of("namespace-" + i), TestCatalog.namespace()));
                }
            }
            catalog.commit(MAIN, operations.toArray(Operation[]::new));
        }

        StoredObjects reader = new StoredObjects(store, 1L << 30);
        long before = heapBytes();
        Commit head = reader.commit(catalog.row(MAIN).head().number());
        Iterator<IndexEntry> entries = new KeyIndex(reader).range(head.tree(), KeyRange.ALL);
        int read = 0;
        while (entries.hasNext()) {
            entries.next();
            read++;
        }
        entries = null;
        long taken = heapBytes() - before;
        long believed = reader.cacheUse().bytes();
        Reference.reachabilityFence(catalog);

        assertThat(read).isEqualTo(COMMITS * TABLES_PER_COMMIT + 7);
        System.out.printf(
                "the cache believes in %,d bytes and takes %,d: %.2f%n", believed, taken, (double) taken / believed);
        assertThat((double) taken / believed).isBetween(0.6, 1.25);
    }
}
