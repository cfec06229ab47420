package org.anabranch.versioning.transfer;

import static org.anabranch.testing.TestCatalog.MAIN;
import static org.anabranch.testing.TestCatalog.key;
import static org.anabranch.testing.TestCatalog.put;
import static org.anabranch.testing.TestCatalog.table;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.anabranch.model.DeltaLakeTable;
import org.anabranch.model.IcebergView;
import org.anabranch.model.Namespace;
import org.anabranch.model.Operation;
import org.anabranch.model.Udf;
import org.anabranch.store.Store;
import org.anabranch.store.memory.MemoryStore;
import org.anabranch.testing.TestCatalog;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A file that this version wrote first. Every later one reads it, and writes the same of the same repository: do not change the file, but the code,
 * or give the format a new version.
 */
class GoldenExportTest {

    private static final String GOLDEN = "/golden/repository.export";

    @TempDir
    Path folder;

    private static TestCatalog catalog() {
        TestCatalog catalog = new TestCatalog();
        catalog.commit(
                MAIN,
                new Operation.Put(key("n"), new Namespace(null, List.of("n"), Map.of("k", "caf\u00e9 \ud83d\ude00"))),
                put("n.t", table("one")),
                put("large", table("x".repeat(3_000))));
        catalog.branch("side", MAIN);
        catalog.commit(
                "side",
                new Operation.Put(key("d"), new DeltaLakeTable(null, List.of("a", "b"), List.of(), "c")),
                new Operation.Put(key("u"), new Udf(null, null, "1", null, "select 1", "spark")),
                new Operation.Put(key("v"), new IcebergView(null, "s3://v", 1, 2, "select 2", null)));
        catalog.commit(MAIN, new Operation.Delete(key("large")));
        catalog.merge("side", MAIN);
        return catalog;
    }

    private ExportFile golden() throws Exception {
        try (InputStream bytes = GoldenExportTest.class.getResourceAsStream(GOLDEN)) {
            return Exports.file(folder, bytes.readAllBytes());
        }
    }

    @Test
    void itIsWrittenAsEver() throws Exception {
        try (TestCatalog catalog = catalog()) {
            byte[] exported = Exports.export(catalog.store());

            assertThat(Exports.file(folder, exported).report().digest())
                    .isEqualTo(golden().report().digest());
        }
    }

    @Test
    void itIsReadAsEver() throws Exception {
        try (TestCatalog catalog = catalog();
                Store store = new MemoryStore()) {
            new RepositoryImport(store).run(golden(), TransferProgress.NONE);

            try (TestCatalog imported = new TestCatalog(store)) {
                assertThat(imported.head(MAIN)).isEqualTo(catalog.head(MAIN));
                assertThat(imported.contents(MAIN))
                        .isEqualTo(catalog.contents(MAIN))
                        .hasSize(5);
                assertThat(imported.contents("side"))
                        .isEqualTo(catalog.contents("side"))
                        .hasSize(6);
            }
        }
    }
}
