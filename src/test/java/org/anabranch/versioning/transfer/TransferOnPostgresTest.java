package org.anabranch.versioning.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Random;
import org.anabranch.store.Store;
import org.anabranch.store.memory.MemoryStore;
import org.anabranch.testing.PostgresStores;
import org.anabranch.testing.TestCatalog;
import org.anabranch.versioning.check.CheckReport;
import org.anabranch.versioning.check.RepositoryCheck;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Into a database, and out of it. */
class TransferOnPostgresTest {

    @TempDir
    Path folder;

    @Test
    void aRepositoryComesBackTheSame() throws Exception {
        try (TestCatalog catalog = new TestCatalog();
                Store database = PostgresStores.open();
                Store other = new MemoryStore()) {
            Exports.grow(catalog, new Random(21));
            byte[] exported = Exports.export(catalog.store());

            new RepositoryImport(database).run(Exports.file(folder, exported), TransferProgress.NONE);
            byte[] again = Exports.export(database);
            new RepositoryImport(other).run(Exports.file(folder, again), TransferProgress.NONE);

            assertThat(again).isEqualTo(exported);
            assertThat(RepositoryCheck.full(database)).matches(CheckReport::isClean);
            assertThat(Exports.export(other)).isEqualTo(exported);
        }
    }
}
